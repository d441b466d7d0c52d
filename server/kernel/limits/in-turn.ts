/** Tasks one after the other, within this process, in the order in which they were given. */

export function inTurn(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const mine = last.then(task)
    last = mine.catch(() => {})
    return mine
  }
}

/**
 * The same for tasks of one name; those of different names run side by side. Tasks that would wait
 * for a lock of the database wait here without holding a connection.
 */
export function inTurnByName(): <T>(name: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (name, task) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(task, task)
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
