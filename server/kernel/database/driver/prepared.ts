/**
 * Runs of prepared statements over a connection of pg. The driver's own way asks what the rows look
 * like at every run and writes `begin` by itself; here both travel with the first run, and several
 * runs can travel together: waking PostgreSQL for each would cost as much as a short one does.
 */
import type pg from 'pg'
import { executionOf, type Value } from './messages.ts'
import { parameterOf } from './parameter.ts'

interface Column {
  name: string
  parse(text: string): unknown
}

/** A column of such a name stays the JSON text that it is; a cast to text would cost a copy. */
const AS_JSON = '_json'
const asIs = (text: string): string => text

export interface Statement {
  readonly name: string
  readonly text: string
  /** `unsure`: a run is under way or failed, and nobody knows whether the server has it. */
  state: 'new' | 'known' | 'unsure'
  columns: readonly Column[]
}

export function newStatement(name: string, text: string): Statement {
  return { name, text, state: 'new', columns: [] }
}

export interface Answer {
  rows: unknown[]
  /** Of a statement that is no select. */
  changed: bigint | null
}

/** One that travelled with others failed before this one, which was not run then: see its cause. */
export class NotRun extends Error {}

/** What of the driver's connection is used; its declared types ask for more than it takes. */
interface Wire {
  stream: { cork(): void; uncork(): void; write(bytes: Buffer): void }
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: readonly Value[] }): void
  describe(message: { type: 'S'; name: string }): void
  execute(message: object): void
  close(message: { type: 'S'; name: string }): void
}

export interface Run {
  statement: Statement
  parameters: readonly unknown[]
}

interface RoundTrip {
  /** Never empty, and all of them selects when there are several. */
  runs: readonly Run[]
  types: pg.CustomTypesConfig
  /** Whether the first is the first of a transaction. */
  begins: boolean
  /** Statements that are let go on this way. */
  stale: readonly string[]
}

interface Step {
  statement: Statement
  values: readonly Value[]
  answer: PromiseWithResolvers<Answer>
  rows: unknown[]
  changed: bigint | null
  fault: unknown
}

/** What the driver calls as the answers come in. It has no `name`, or the driver would keep books. */
export class PreparedRuns {
  private readonly roundTrip: RoundTrip
  private readonly steps: readonly Step[]
  private begun: boolean
  /** The step whose answer comes in. */
  private at = 0

  constructor(roundTrip: RoundTrip) {
    this.roundTrip = roundTrip
    this.begun = !roundTrip.begins
    this.steps = roundTrip.runs.map(({ statement, parameters }) => ({
      statement,
      values: parameters.map(parameterOf),
      answer: Promise.withResolvers(),
      rows: [],
      changed: null,
      fault: null,
    }))
  }

  /** Of each run. */
  get results(): Promise<Answer>[] {
    return this.steps.map(({ answer }) => answer.promise)
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    const { stale, begins } = this.roundTrip
    wire.stream.cork()
    for (const one of stale) wire.close({ type: 'S', name: one })
    if (begins) {
      wire.parse({ name: '', text: 'begin' })
      wire.bind({ statement: '', values: [] })
      wire.execute({})
    }
    const prepared = new Set<Statement>()
    let executions: Buffer[] = []
    for (const [index, { statement, values }] of this.steps.entries()) {
      if (!prepared.has(statement) && statement.state !== 'known') {
        // Its rows are described while the answer to its first run is the next to come in.
        writeAll(wire, executions)
        executions = []
        prepare(wire, statement)
      }
      statement.state = 'unsure'
      prepared.add(statement)
      const is_last = index === this.steps.length - 1
      executions.push(executionOf({ name: statement.name, values, is_last }))
    }
    writeAll(wire, executions)
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const { types } = this.roundTrip
    this.step.statement.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: name.endsWith(AS_JSON) ? asIs : types.getTypeParser(dataTypeID, 'text'),
    }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { step } = this
    if (step.fault !== null) return
    const { columns } = step.statement
    const row: Record<string, unknown> = {}
    try {
      for (let at = 0; at < columns.length; at += 1) {
        const text = fields[at] ?? null
        row[columns[at]!.name] = text === null ? null : columns[at]!.parse(text)
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
    const { step } = this
    step.statement.state = 'known'
    const count = /^(?!SELECT)[A-Z]+ (?:\d+ )?(\d+)$/.exec(text)?.[1]
    step.changed = count === undefined ? null : BigInt(count)
    this.at += 1
  }

  /** Only then is it known that nothing more is wrong, not even with a commit. */
  handleReadyForQuery(): void {
    for (const { fault, answer, rows, changed } of this.steps) {
      if (fault !== null) answer.reject(fault)
      else answer.resolve({ rows, changed })
    }
  }

  handleError(error: Error): void {
    for (const [index, { answer, rows, changed, fault }] of this.steps.entries()) {
      if (index < this.at && fault === null) answer.resolve({ rows, changed })
      else answer.reject(index <= this.at ? (fault ?? error) : new NotRun('', { cause: error }))
    }
  }

  private get step(): Step {
    return this.steps[this.at]!
  }
}

/** To copy some of them into one piece costs less than to hand the socket several. */
function writeAll(wire: Wire, executions: readonly Buffer[]): void {
  const [first, ...more] = executions
  if (first) wire.stream.write(more.length > 0 ? Buffer.concat(executions) : first)
}

/** Makes sure that the server has a statement. */
function prepare(wire: Wire, { name, text, state }: Statement): void {
  if (state === 'unsure') wire.close({ type: 'S', name })
  wire.parse({ name, text })
  wire.describe({ type: 'S', name })
}
