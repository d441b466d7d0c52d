/**
 * Notices a database that hangs: it keeps its connections but answers nothing. A statement may take
 * long while the database works, so a slow one only leads to questions on new connections; if two have
 * no answer either, every statement under way fails as if its connection had been lost.
 */
import pg from 'pg'

/** A statement that takes longer leads to the question. */
const SLOW_MS = 1500
const ANSWER_MS_MAX = 1000
const LOOK_MS = 500

/** What a hanging statement is ended by. */
export interface Hanging {
  abandon(error: Error): void
}

export interface HangWatch {
  /** Watches a statement until the returned function is called. */
  begin(statement: Hanging): () => void
  stop(): void
}

export function watchForHangs(connection: pg.PoolConfig): HangWatch {
  const under_way = new Map<object, { since_ms: number; statement: Hanging }>()
  let asking = false

  async function look(): Promise<void> {
    const [oldest] = under_way.values()
    if (asking || !oldest || performance.now() - oldest.since_ms < SLOW_MS) return
    asking = true
    const answers = (await answersNow(connection)) || (await answersNow(connection))
    asking = false
    if (answers) return
    const error = new Error('Connection terminated, because the database hangs.')
    for (const { statement } of under_way.values()) statement.abandon(error)
    under_way.clear()
  }

  const timer = setInterval(() => void look(), LOOK_MS)
  timer.unref()
  return {
    begin(statement) {
      const mark = {}
      under_way.set(mark, { since_ms: performance.now(), statement })
      return () => void under_way.delete(mark)
    },
    stop: () => clearInterval(timer),
  }
}

/** Whether the database says anything. A refused connection is no sign of a database that hangs. */
async function answersNow(connection: pg.PoolConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2 * ANSWER_MS_MAX })
  client.on('error', () => {})
  const late = Promise.withResolvers<false>()
  // One more turn, because an answer may have arrived while this process was busy.
  const timer = setTimeout(() => setImmediate(late.resolve, false), ANSWER_MS_MAX)
  try {
    return await Promise.race([client.connect().then(() => true), late.promise])
  } catch {
    return true
  } finally {
    clearTimeout(timer)
    void client.end().catch(() => {})
  }
}
