/**
 * One run of a prepared statement over a connection of pg. The driver's own way asks what the rows
 * look like at every run and writes `begin` by itself; here both travel with the first run.
 */
import type pg from 'pg'
import { parameterOf } from './parameter.ts'

interface Column {
  name: string
  parse(text: string): unknown
}

export interface Statement {
  readonly name: string
  readonly text: string
  /** `unsure`: a run failed, and nobody knows whether the server has it. */
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

/** What of the driver's connection is used; its declared types ask for more than it takes. */
interface Wire {
  stream: { cork(): void; uncork(): void }
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: readonly (string | Buffer | null)[] }): void
  describe(message: { type: 'P' }): void
  execute(message: object): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}

interface Run {
  statement: Statement
  parameters: readonly unknown[]
  types: pg.CustomTypesConfig
  /** Whether it is the first of a transaction. */
  begins: boolean
  /** Statements that are let go on this way. */
  stale: readonly string[]
}

/** What the driver calls as the answers come in. It has no `name`, or the driver would keep books. */
export class PreparedRun {
  private readonly run: Run
  private readonly values: (string | Buffer | null)[]
  private readonly answer = Promise.withResolvers<Answer>()
  private readonly rows: unknown[] = []
  private begun: boolean
  private changed: bigint | null = null
  private fault: unknown = null

  constructor(run: Run) {
    this.run = run
    this.begun = !run.begins
    this.values = run.parameters.map(parameterOf)
  }

  get result(): Promise<Answer> {
    return this.answer.promise
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    const { statement, stale, begins } = this.run
    const { name, text, state } = statement
    wire.stream.cork()
    for (const one of stale) wire.close({ type: 'S', name: one })
    if (begins) {
      wire.parse({ name: '', text: 'begin' })
      wire.bind({ statement: '', values: [] })
      wire.execute({})
    }
    if (state === 'unsure') wire.close({ type: 'S', name })
    if (state !== 'known') wire.parse({ name, text })
    wire.bind({ statement: name, values: this.values })
    if (state !== 'known') wire.describe({ type: 'P' })
    wire.execute({})
    wire.sync()
    wire.stream.uncork()
    statement.state = 'unsure'
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const { statement, types } = this.run
    statement.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: types.getTypeParser(dataTypeID, 'text'),
    }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.fault !== null) return
    const { columns } = this.run.statement
    const row: Record<string, unknown> = {}
    try {
      for (let at = 0; at < columns.length; at += 1) {
        const text = fields[at] ?? null
        row[columns[at]!.name] = text === null ? null : columns[at]!.parse(text)
      }
    } catch (error) {
      this.fault = error
    }
    this.rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (!this.begun) {
      this.begun = true
      return
    }
    this.run.statement.state = 'known'
    const count = /^(?!SELECT)[A-Z]+ (?:\d+ )?(\d+)$/.exec(text)?.[1]
    this.changed = count === undefined ? null : BigInt(count)
  }

  handleReadyForQuery(): void {
    if (this.fault !== null) this.answer.reject(this.fault)
    else this.answer.resolve({ rows: this.rows, changed: this.changed })
  }

  handleError(error: Error): void {
    this.answer.reject(error)
  }
}
