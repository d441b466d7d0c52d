/**
 * Executes prepared statements on a connection of pg. The driver requests the row description at
 * each execution and sends `begin` in a separate round trip. Here both are sent with the first
 * execution, and several executions share a round trip, because waking PostgreSQL costs as much as
 * a short statement.
 */
import type pg from 'pg'
import { writeExecution, type ParameterValue } from './messages.ts'
import { encodeParameter } from './parameter.ts'

interface Column {
  name: string
  parse(text: string): unknown
}

/** Columns with this suffix keep their JSON text unparsed; a cast to text in SQL would copy it. */
const AS_JSON = '_json'
const asIs = (text: string): string => text

export interface Statement {
  readonly name: string
  readonly text: string
  /**
   * `unsure`: an execution is pending or failed, so PostgreSQL may or may not have the statement.
   */
  state: 'new' | 'known' | 'unsure'
  columns: readonly Column[]
  /** A row of nulls. Rows are copies, because adding the columns one by one takes twice as long. */
  nulls: Readonly<Record<string, unknown>>
}

export function newStatement(name: string, text: string): Statement {
  return { name, text, state: 'new', columns: [], nulls: {} }
}

export interface RunResult {
  rows: unknown[]
  /** Number of affected rows; null for a select. */
  changed: bigint | null
}

/**
 * Thrown for a statement that was not executed because an earlier statement in the same round trip
 * failed (see `cause`).
 */
export class StatementNotRun extends Error {}

/**
 * The used part of the driver's connection. Its declared types require more arguments than it
 * needs.
 */
interface Wire {
  stream: { cork(): void; uncork(): void; write(bytes: Buffer): void }
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: readonly ParameterValue[] }): void
  describe(message: { type: 'S'; name: string }): void
  execute(message: object): void
  sync(): void
  close(message: { type: 'S'; name: string }): void
}

export interface Run {
  statement: Statement
  parameters: readonly unknown[]
}

interface RoundTrip {
  /** Not empty; several must all be selects. */
  runs: readonly Run[]
  types: pg.CustomTypesConfig
  /** Whether the first run begins a transaction. */
  begins: boolean
  /** Whether a commit follows the last run. */
  commits: boolean
  /** Names of statements to deallocate. */
  stale: readonly string[]
}

interface Step {
  statement: Statement
  values: readonly ParameterValue[]
  answer: PromiseWithResolvers<RunResult>
  rows: unknown[]
  changed: bigint | null
  fault: unknown
}

/**
 * A query object for the driver, which calls its handlers. It has no `name`, because the driver
 * would then track the statement itself.
 */
export class PreparedRuns {
  private readonly roundTrip: RoundTrip
  private readonly steps: readonly Step[]
  private begun: boolean
  /** Index of the step that is receiving its reply. */
  private at = 0

  constructor(roundTrip: RoundTrip) {
    this.roundTrip = roundTrip
    this.begun = !roundTrip.begins
    this.steps = roundTrip.runs.map(({ statement, parameters }) => ({
      statement,
      values: parameters.map(encodeParameter),
      answer: Promise.withResolvers(),
      rows: [],
      changed: null,
      fault: null,
    }))
  }

  /** One promise for each run. */
  get results(): Promise<RunResult>[] {
    return this.steps.map(({ answer }) => answer.promise)
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    const { stale, begins, commits } = this.roundTrip
    wire.stream.cork()
    for (const one of stale) wire.close({ type: 'S', name: one })
    if (begins) executeText(wire, 'begin')
    const prepared = new Set<Statement>()
    let executions: Buffer[] = []
    for (const [index, { statement, values }] of this.steps.entries()) {
      if (!prepared.has(statement) && statement.state !== 'known') {
        // The row description must arrive directly before the reply of the first execution.
        writeAll(wire, executions)
        executions = []
        prepare(wire, statement)
      }
      statement.state = 'unsure'
      prepared.add(statement)
      const is_last = !commits && index === this.steps.length - 1
      executions.push(writeExecution({ name: statement.name, values, is_last }))
    }
    writeAll(wire, executions)
    if (commits) {
      executeText(wire, 'commit')
      wire.sync()
    }
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const { types } = this.roundTrip
    const { statement } = this.step
    statement.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: name.endsWith(AS_JSON) ? asIs : types.getTypeParser(dataTypeID, 'text'),
    }))
    statement.nulls = Object.fromEntries(fields.map(({ name }) => [name, null]))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { step } = this
    if (step.fault !== null) return
    const { columns, nulls } = step.statement
    const row: Record<string, unknown> = { ...nulls }
    try {
      for (let at = 0; at < columns.length; at += 1) {
        const text = fields[at] ?? null
        if (text !== null) row[columns[at]!.name] = columns[at]!.parse(text)
      }
    } catch (error) {
      step.fault = error
    }
    step.rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (!this.begun) {
      this.begun = true
      return
    }
    // The reply to the commit.
    if (this.at === this.steps.length) return
    const { step } = this
    step.statement.state = 'known'
    const count = /^(?!SELECT)[A-Z]+ (?:\d+ )?(\d+)$/.exec(text)?.[1]
    step.changed = count === undefined ? null : BigInt(count)
    this.at += 1
  }

  /** Only this message proves that every statement and the implicit commit succeeded. */
  handleReadyForQuery(): void {
    for (const { fault, answer, rows, changed } of this.steps) {
      if (fault !== null) answer.reject(fault)
      else answer.resolve({ rows, changed })
    }
  }

  handleError(error: Error): void {
    // A failed commit is an error of the last step.
    const failed = Math.min(this.at, this.steps.length - 1)
    for (const [index, { answer, rows, changed, fault }] of this.steps.entries()) {
      if (index < failed && fault === null) answer.resolve({ rows, changed })
      else
        answer.reject(
          index <= failed ? (fault ?? error) : new StatementNotRun('', { cause: error }),
        )
    }
  }

  private get step(): Step {
    return this.steps[this.at]!
  }
}

/** Executes a text without parameters, whose reply is not used. */
function executeText(wire: Wire, text: string): void {
  wire.parse({ name: '', text })
  wire.bind({ statement: '', values: [] })
  wire.execute({})
}

/** Concatenates buffers, because copying them costs less than several writes. */
function writeAll(wire: Wire, executions: readonly Buffer[]): void {
  const [first, ...more] = executions
  if (first) wire.stream.write(more.length > 0 ? Buffer.concat(executions) : first)
}

/** Prepares a statement; first deallocates it if the server may have it. */
function prepare(wire: Wire, { name, text, state }: Statement): void {
  if (state === 'unsure') wire.close({ type: 'S', name })
  wire.parse({ name, text })
  wire.describe({ type: 'S', name })
}
