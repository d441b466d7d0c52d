/**
 * Runs statements of an app in one transaction, with limits on time, rows and bytes that the statements
 * cannot lift.
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import { NoSlot } from '../limits/slots.ts'
import type { AppPool } from './app-schemas.ts'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

export interface StatementResult {
  columns: string[]
  rows: Record<string, unknown>[]
  /** Rows that were written or found. */
  row_count: number
  truncated: boolean
}

export interface RunLimits {
  read_only: boolean
  seconds_max: number
  /** Rows of a result; further ones are left out. */
  rows_max: number
}

/** PostgreSQL refused a statement, or a limit was passed. The message is for the developer. */
export class StatementFailed extends Error {
  override readonly name = 'DatabaseError'
  /** SQLSTATE; null for a limit. */
  readonly code: string | null
  /** Whether a catalog was denied, of which there is a copy. */
  readonly is_of_catalog: boolean
  constructor(message: string, code: string | null, { is_of_catalog = false } = {}) {
    super(message)
    this.code = code
    this.is_of_catalog = is_of_catalog
  }
}

const MUST_NOT_END = 'The statements must not end their transaction.'
const ends = /^(?:commit|end|abort|begin|start|rollback(?!\s+(?:(?:work|transaction)\s+)?to\b))\b/i
const CELLS_MAX = 50_000
const RESULT_BYTES_MAX = 4 * 1_048_576
/** Time after the timeout of the statement until the connection is closed. */
const GRACE_MS = 1_000

/** Runs one statement with parameters, or several without. */
export type Run = (sql: string, parameters?: readonly unknown[]) => Promise<pg.QueryArrayResult>

/** All statements, or none. */
export function runStatements(
  pool: AppPool,
  statements: readonly Statement[],
  options: RunLimits,
): Promise<StatementResult[]> {
  return inTransaction(pool, options, async (run) => {
    const results: StatementResult[] = []
    for (const { sql, parameters } of statements) {
      // "commit and chain" would leave a transaction open, which has none of these limits.
      if (ends.test(withoutComments(sql))) throw new StatementFailed(MUST_NOT_END, null)
      results.push(readResult(await run(sql, parameters), options.rows_max))
    }
    return results
  })
}

/** Runs `work` in a transaction. Throws StatementFailed, or NoSlot before it had any effect. */
export async function inTransaction<T>(
  pool: AppPool,
  { read_only, seconds_max }: Omit<RunLimits, 'rows_max'>,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const { client, leave } = await connect(pool)
  const timeout_ms = seconds_max * 1000
  const guard = guardConnection(client, pool)
  const timer = setTimeout(
    () => guard.end(`The statements took over ${seconds_max} s.`),
    timeout_ms + GRACE_MS,
  )
  let current = ''
  const run: Run = async (sql, parameters) => {
    current = sql
    const query = { text: sql, rowMode: 'array' as const }
    // The extended protocol refuses a second statement.
    const extended = { ...query, values: [...(parameters ?? [])], queryMode: 'extended' }
    const result = await client.query<unknown[]>(parameters ? extended : query)
    if (client.getTransactionStatus() === 'T') return result
    throw new StatementFailed(MUST_NOT_END, null)
  }
  try {
    // The select fixes the transaction as read-only.
    await client.query(`begin ${read_only ? 'read only' : ''};
      select pg_catalog.set_config('statement_timeout', '${timeout_ms}', true),
        pg_catalog.set_config('lock_timeout', '${timeout_ms}', true)`)
    const result = await work(run)
    // A session that listens keeps the notifications of the whole server from being removed.
    await client.query(read_only ? 'rollback' : 'commit; unlisten *')
    guard.release()
    return result
  } catch (error) {
    guard.release(error)
    throw failureOf(error, guard.fault(), current)
  } finally {
    clearTimeout(timer)
    leave()
  }
}

async function connect(pool: AppPool): Promise<{ client: pg.PoolClient; leave: () => void }> {
  let leave = () => {}
  try {
    leave = await pool.take()
    return { client: await pool.connections.connect(), leave }
  } catch (error) {
    leave()
    if (error instanceof NoSlot) throw error
    throw new StatementFailed('The database of the app has no free connection. Try again.', null)
  }
}

/** Closes the connection at a limit, and returns it to the pool otherwise. */
function guardConnection(client: pg.PoolClient, { terminate, isCrowded }: AppPool) {
  const { stream } = Object(client).connection as { stream: Socket }
  const { processID: pid } = Object(client) as { processID: number }
  let bytes = 0
  let fault: string | null = null
  const end = (message: string) => {
    fault ??= message
    stream.destroy()
    // A statement can catch a cancellation, and goes on without its client.
    terminate(pid).catch(() => {})
  }
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > RESULT_BYTES_MAX) end('The result is over 4 MB. Select fewer rows or columns.')
  }
  stream.on('data', onData)
  return {
    end,
    fault: () => fault,
    release(error?: unknown) {
      stream.off('data', onData)
      // A connection with an open or unknown transaction is not used again.
      client.release(error !== undefined || isCrowded())
    },
  }
}

function readResult(result: pg.QueryArrayResult, rows_max: number): StatementResult {
  const columns = result.fields.map(({ name }) => name)
  const shown = result.rows.slice(0, rows_max)
  if (shown.length * columns.length > CELLS_MAX)
    throw new StatementFailed('The result has too many values. Select fewer rows or columns.', null)
  return {
    columns,
    rows: shown.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))),
    row_count: result.rowCount ?? 0,
    truncated: result.rows.length > shown.length,
  }
}

function failureOf(error: unknown, fault: string | null, sql: string): unknown {
  if (fault !== null) return new StatementFailed(fault, null)
  if (error instanceof StatementFailed) return error
  if (!(error instanceof pg.DatabaseError)) {
    return new StatementFailed('The connection to the database of the app was lost.', null)
  }
  const { message, detail, hint, position, code = null } = error
  const place = position === undefined ? '' : ` ${describePosition(sql, Number(position))}`
  const is_of_catalog = isDeniedCatalog(error)
  const more = [detail, hint, is_of_catalog ? catalogHint : undefined].filter(
    (text) => text !== undefined,
  )
  const text = [`${sentence(message)}${place}`, ...more].join(' ')
  return new StatementFailed(text, code, { is_of_catalog })
}

/** A statement from its first word on, without the comments before it, which nest. */
function withoutComments(sql: string): string {
  let depth = 0
  for (let at = 0; at < sql.length; at += 1) {
    const pair = sql.slice(at, at + 2)
    if (pair === '/*') depth += 1
    else if (pair === '*/' && depth > 0) depth -= 1
    else if (depth === 0 && pair === '--') {
      const end = sql.slice(at).search(/[\n\r]/)
      if (end < 0) return ''
      at += end
      continue
    } else {
      if (depth === 0 && !/[\s;]/.test(sql[at]!)) return sql.slice(at)
      continue
    }
    at += 1
  }
  return ''
}

const catalogHint =
  'The catalogs withhold what apps wrote in definitions, defaults and comments: select other columns by name.'

/** Whether an app was denied a catalog that withholds texts. */
export function isDeniedCatalog({ code, message }: pg.DatabaseError): boolean {
  return code === '42501' && / for (?:(?:table|view) pg_|function pg_get_)/.test(message)
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** PostgreSQL counts characters from 1. */
function describePosition(sql: string, position: number): string {
  const lines = sql.slice(0, position - 1).split('\n')
  return `(line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`
}
