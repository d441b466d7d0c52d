/**
 * The database as types: a Reader can only select, a Transaction can write, a Database reads and
 * opens transactions. A write outside a transaction does not compile. Every statement is prepared
 * once per connection (driver/prepared.ts).
 */
import type { Socket } from 'node:net'
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type Transaction as KyselyTransaction,
} from 'kysely'
import pg from 'pg'
import { LRUCache } from 'lru-cache'
import { watchForHangs, type Hanging, type HangWatch } from './hang-watch.ts'
import { batchCalls } from '../process/batch-calls.ts'
import { lastStatementOf } from './last-statement.ts'
import {
  newStatement,
  StatementNotRun,
  PreparedRuns,
  type RunResult,
  type Statement,
} from './driver/prepared.ts'
import type { Tables } from './tables.ts'

export type Reader = Pick<Kysely<Tables>, 'selectFrom' | 'getExecutor' | 'executeQuery' | 'with'>
export type Transaction = KyselyTransaction<Tables>
export interface Database extends Reader {
  /** Runs `work` in one transaction: commits if it resolves, rolls back if it throws. */
  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs one writing statement as a transaction of its own, in one round trip. Returns the rows that
   * it returns, or null if it violates a unique index. Absent within a transaction (joined.ts).
   */
  writeAlone?<Row>(query: CompiledQuery<Row>): Promise<Row[] | null>
  close(): Promise<void>
}

// Maps money and counts to bigint, dates to text, and JSON that must stay as sent to text.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text: string) => BigInt(text))
types.setTypeParser(pg.types.builtins.JSON, (text: string) => text)
types.setTypeParser(pg.types.builtins.DATE, (text: string) => text)

export interface DatabaseOptions {
  connection: pg.PoolConfig
  /** Receives errors of idle connections, which the pool replaces. */
  onError(error: Error): void
}

export function openDatabase({ connection, onError }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    ...connection,
    types,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return new PostgresDatabase(pool, watchForHangs(connection))
}

const UNIQUE_VIOLATION = '23505'
/** Retries of a statement that was the victim of a deadlock or could not be serialized. */
const WRITE_ALONE_RETRIES = 2

/** Quick selects in one round trip; they run one after the other. */
const TOGETHER_MAX = 10
/** Concurrent round trips; above 1, so that one hanging connection does not block all lists. */
const TOGETHER_AT_ONCE = 3

class PostgresDatabase extends Kysely<Tables> implements Database {
  private readonly gather = batchCalls(
    (queries: readonly CompiledQuery[]) => this.readAll(queries),
    { items_max: TOGETHER_MAX, at_once: TOGETHER_AT_ONCE },
  )

  constructor(pool: pg.Pool, watch: HangWatch) {
    super({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new NamedStatementDriver(pool, watch),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
  }

  async transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const hooks: (() => void)[] = []
    const result = await this.transaction().execute(async (tx) => {
      hooksOf.set(tx, hooks)
      const result = await work(tx)
      const last = await lastStatementOf(tx, result)
      if (last) await commitWith(tx, last)
      return result
    })
    for (const hook of hooks) hook()
    return result
  }

  async writeAlone<Row>(query: CompiledQuery<Row>): Promise<Row[] | null> {
    for (let retries_left = WRITE_ALONE_RETRIES; ; retries_left -= 1) {
      try {
        return (await this.executeQuery(query)).rows
      } catch (error) {
        const code = codeOf(error)
        if (code === UNIQUE_VIOLATION) return null
        if (retries_left === 0 || !rolledBackCode.test(code)) throw error
      }
    }
  }

  /**
   * Both statements share a round trip and an implicit transaction, whose end resets the timeout.
   */
  async readWithin<Row>(query: CompiledQuery<Row>, timeout_ms: number): Promise<Row[]> {
    const timeout = sql`select set_config('statement_timeout', ${String(timeout_ms)}, true)`
    const queries = [timeout.compile(this), query]
    const answers = await this.getExecutor().provideConnection(async (connection) =>
      Promise.allSettled((connection as NamedStatementConnection).run(queries)),
    )
    for (const answer of answers) if (answer.status === 'rejected') throw timeoutOf(answer.reason)
    const [, answer] = answers
    return (answer?.status === 'fulfilled' ? answer.value.rows : []) as Row[]
  }

  async readTogether<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    const read = await this.gather(query)
    return read() as Promise<Row[]>
  }

  /** Returns a function for each query, which returns its rows or throws its error. */
  private async readAll(queries: readonly CompiledQuery[]): Promise<(() => Promise<unknown[]>)[]> {
    const answers = await this.getExecutor().provideConnection(async (connection) =>
      Promise.allSettled((connection as NamedStatementConnection).run(queries)),
    )
    return answers.map((answer, index) => async () => {
      if (answer.status === 'fulfilled') return answer.value.rows
      const { reason } = answer
      if (!(reason instanceof StatementNotRun)) return rethrowHere(reason)
      if (isDatabaseUnavailable(reason.cause)) return rethrowHere(reason.cause)
      // An earlier one of the same round trip failed, which says nothing about this one.
      return (await this.executeQuery(queries[index]!)).rows
    })
  }

  close(): Promise<void> {
    return this.destroy()
  }
}

/**
 * The rows of a select that takes a few milliseconds at most. Concurrent ones share a round trip,
 * because waking PostgreSQL costs as much as such a select; in a transaction it runs by itself.
 */
export async function readTogether<Row>(db: Reader, query: CompiledQuery<Row>): Promise<Row[]> {
  if (db instanceof PostgresDatabase) return db.readTogether(query)
  return (await db.executeQuery(query)).rows
}

/** A statement was cancelled because it ran longer than its caller allowed. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout'
}

export interface TimedRead<Row> {
  query: CompiledQuery<Row>
  timeout_ms: number
}

/** The rows of a select that is cancelled after `timeout_ms`. Throws `StatementTimeout`. */
export async function readWithin<Row>(db: Reader, { query, timeout_ms }: TimedRead<Row>) {
  if (db instanceof PostgresDatabase) return db.readWithin(query, timeout_ms)
  const { rows } = await db.executeQuery(query)
  return rows
}

/** Sends `last` in the round trip of the commit. */
function commitWith(tx: Transaction, last: CompiledQuery): Promise<void> {
  return tx
    .getExecutor()
    .provideConnection(async (connection) => (connection as NamedStatementConnection).endWith(last))
}

const hooksOf = new WeakMap<Transaction, (() => void)[]>()

/** Runs `hook` after the commit, and never after a rollback. For wake-ups only. */
export function afterCommit(tx: Transaction, hook: () => void): void {
  const hooks = hooksOf.get(tx)
  if (!hooks) throw new Error('afterCommit needs a transaction opened by transact().')
  hooks.push(hook)
}

/** A PostgreSQL driver for Kysely that names each statement, so that it is planned once. */
class NamedStatementDriver implements Driver {
  private readonly pool: pg.Pool
  private readonly watch: HangWatch
  private readonly connections = new WeakMap<pg.PoolClient, NamedStatementConnection>()

  constructor(pool: pg.Pool, watch: HangWatch) {
    this.pool = pool
    this.watch = watch
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const client = await this.pool.connect()
    const known = this.connections.get(client)
    if (known) return known
    const connection = new NamedStatementConnection(client, this.watch)
    this.connections.set(client, connection)
    return connection
  }

  async beginTransaction(connection: NamedStatementConnection): Promise<void> {
    connection.begin()
  }

  async commitTransaction(connection: NamedStatementConnection): Promise<void> {
    await connection.end('commit')
  }

  async rollbackTransaction(connection: NamedStatementConnection): Promise<void> {
    await connection.end('rollback')
  }

  async releaseConnection(connection: NamedStatementConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    this.watch.stop()
    await this.pool.end()
  }
}

/**
 * Maximum number of prepared statements of a connection. PostgreSQL keeps each until it is
 * deallocated, and queries with filters of clients have unlimited variants.
 */
const PREPARED_MAX = 400

class NamedStatementConnection implements DatabaseConnection, Hanging {
  private readonly client: pg.PoolClient
  private readonly watch: HangWatch
  private readonly prepared: LRUCache<string, Statement>
  private statements = 0
  /** Names of evicted statements, which are deallocated in the next round trip. */
  private stale: string[] = []
  /** Whether a transaction is open whose `begin` is sent with its first statement. */
  private begins = false
  private broken: Error | null = null
  /** The statement to send with the commit. */
  private last: CompiledQuery | null = null

  constructor(client: pg.PoolClient, watch: HangWatch) {
    this.client = client
    this.watch = watch
    this.prepared = new LRUCache({
      max: PREPARED_MAX,
      dispose: ({ name }) => void this.stale.push(name),
    })
  }

  private statementOf(text: string): Statement {
    const known = this.prepared.get(text)
    if (known) return known
    const statement = newStatement(`s${(this.statements += 1)}`, text)
    this.prepared.set(text, statement)
    return statement
  }

  /** Runs queries in one round trip. Several at once must all be selects. */
  run(queries: readonly CompiledQuery[], commits = false): Promise<RunResult>[] {
    const runs = queries.map(({ sql: text, parameters }) => ({
      statement: this.statementOf(text),
      parameters,
    }))
    const { stale, begins } = this
    const all = new PreparedRuns({ runs, types, begins, commits, stale })
    this.stale = []
    this.begins = false
    const ended = this.watch.begin(this)
    this.client.query(all)
    const { results } = all
    void Promise.allSettled(results).then(ended)
    return results
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const [answer] = this.run([query])
    const { rows, changed } = await answer!.catch(rethrowHere)
    return {
      rows: rows as Row[],
      ...(changed === null ? {} : { numAffectedRows: changed }),
    }
  }

  begin(): void {
    this.begins = true
    this.last = null
  }

  endWith(last: CompiledQuery): void {
    this.last = last
  }

  /** A connection on which this fails is removed from the pool. */
  async end(text: 'commit' | 'rollback'): Promise<void> {
    if (this.begins) {
      this.begins = false
      return
    }
    const last = text === 'commit' ? this.last : null
    try {
      await (last ? this.run([last], true)[0] : this.runAlone(text))
    } catch (error) {
      this.broken = error instanceof Error ? error : new Error(String(error))
      throw error
    }
  }

  private async runAlone(text: string): Promise<void> {
    const ended = this.watch.begin(this)
    await this.client.query(text).finally(ended)
  }

  abandon(error: Error): void {
    // The driver has no public way to give up a connection that does not answer.
    const { connection } = this.client as unknown as { connection: { stream: Socket } }
    connection.stream.destroy(error)
  }

  release(): void {
    this.client.release(this.broken ?? undefined)
  }

  // eslint-disable-next-line require-yield
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed.')
  }
}

/** Replaces the stack trace, which points into the socket handler, by that of the caller. */
function rethrowHere(error: unknown): never {
  if (error instanceof Error) Error.captureStackTrace(error)
  throw error
}

const QUERY_CANCELED = '57014'

function timeoutOf(error: unknown): unknown {
  const cause = causeOf(error)
  const is_canceled = cause instanceof Error && codeOf(cause) === QUERY_CANCELED
  return is_canceled ? new StatementTimeout(cause.message, { cause }) : cause
}

/** The error of the statement that failed, if an earlier one of the same round trip did. */
function causeOf(error: unknown): unknown {
  return error instanceof StatementNotRun ? error.cause : error
}

function codeOf(error: unknown): string {
  const cause = causeOf(error)
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : ''
}

// SQLSTATE class 08 (connection), 57P0x (shutting down, starting up, crashed), 53xxx (out of a
// resource), 58xxx (system error).
const awayCode = /^(08|57P0|53|58)/
const awaySystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EACCES',
])
/** Codes that mean this of a connection attempt alone: files and processes have them too. */
const awayConnectCodes = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  // A stopped database accepts no connection, until its queue of them is full.
  'EAGAIN',
  // This process has no file descriptor for another connection.
  'EMFILE',
  'ENFILE',
])
const awayMessage =
  /connection terminated|timeout exceeded when trying to connect|connection timeout|not queryable|client was closed/i

/** Whether an error means that the database is unavailable, perhaps temporarily. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const cause = causeOf(error)
  if (!(cause instanceof Error)) return false
  const code = codeOf(cause)
  const connects = 'syscall' in cause && cause.syscall === 'connect'
  return (
    awayCode.test(code) ||
    awaySystemCodes.has(code) ||
    (connects && awayConnectCodes.has(code)) ||
    awayMessage.test(cause.message)
  )
}

// SQLSTATE class 40: deadlock, serialization failure, rollback.
const rolledBackCode = /^40/
// SQLSTATE of a canceled query (by a timeout), a lock timeout, and a transaction timeout.
const busyCode = /^(40|57014$|55P03$|25P0[34]$)/

/**
 * Whether an error means that the database works, but other work was in the way or the time ran
 * out. The transaction has had no effect, and the same request may succeed later.
 */
export function isDatabaseBusy(error: unknown): boolean {
  return busyCode.test(codeOf(error))
}

const REACHABLE_MS_MAX = 2000

/** Runs `select 1`. Returns false if the database is unavailable, or does not answer in time. */
export async function isReachable(db: Reader): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => setImmediate(late.resolve, false), REACHABLE_MS_MAX)
  try {
    return await Promise.race([sql`select 1`.execute(db).then(() => true), late.promise])
  } catch (error) {
    if (isDatabaseUnavailable(error)) return false
    throw error
  } finally {
    clearTimeout(timer)
  }
}
