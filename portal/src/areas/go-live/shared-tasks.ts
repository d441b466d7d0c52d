/** Separates the tasks that several rails need from those of one rail, so each is shown once. */
import type { Rail, Task } from './queries.ts'

export interface SharedTask {
  task: Task
  rails: readonly Rail[]
}

/** The tasks that two or more rails in test mode need, in the order in which they are recommended. */
export function sharedTasksOf(rails: readonly Rail[]): SharedTask[] {
  const waiting = rails.filter(({ mode }) => mode === 'test')
  const all = waiting.flatMap(({ missing }) => missing)
  const firsts = all.filter(
    (task, index) => all.findIndex((other) => isSame(other, task)) === index,
  )
  return firsts
    .map((task) => ({ task, rails: waiting.filter(({ missing }) => has(missing, task)) }))
    .filter((shared) => shared.rails.length > 1)
}

/** The tasks of a rail that no other rail needs. */
export function ownTasksOf({ missing }: Rail, shared: readonly SharedTask[]): Task[] {
  return missing.filter((task) => !shared.some((one) => isSame(one.task, task)))
}

function has(tasks: readonly Task[], wanted: Task): boolean {
  return tasks.some((task) => isSame(task, wanted))
}

/** Tasks of one code differ by their sentence, such as the kind of provider that is missing. */
function isSame(one: Task, other: Task): boolean {
  return one.code === other.code && one.task === other.task
}
