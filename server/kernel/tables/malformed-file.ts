/** The error of the readers of files. */

/** A fault after which the rest of the file cannot be read. */
export class MalformedFile extends Error {
  override readonly name = 'MalformedFile'
  readonly line: number
  readonly column: number | null

  constructor(message: string, { line, column = null }: { line: number; column?: number | null }) {
    super(message)
    this.line = line
    this.column = column
  }
}
