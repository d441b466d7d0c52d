/**
 * The messages to PostgreSQL that a known statement takes, as one piece of bytes: the driver makes
 * three of them and hands each to the socket, and every piece that is sent costs.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

export type Value = string | Buffer | null

const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const EXECUTE_AND_SYNC = Buffer.concat([EXECUTE, Buffer.from([0x53, 0, 0, 0, 4])])

const BIND = 0x42
/** Instead of a length, where there is no value. */
export const NULL_LENGTH = -1

export interface Execution {
  /** The name of a statement that the server has. */
  name: string
  values: readonly Value[]
  /** Whether nothing else travels behind it. */
  is_last: boolean
}

/**
 * Bind, Execute and, for the last one, Sync: texts as text, bytes as they are, and all that comes
 * back as text.
 */
export function executionOf({ name, values, is_last }: Execution): Buffer {
  const lengths = values.map(lengthOf)
  const is_binary = values.some(Buffer.isBuffer)
  const sent = lengths.reduce((sum, length) => sum + 4 + Math.max(length, 0), 0)
  const formats = is_binary ? values.length : 0
  const bind = 4 + 1 + (name.length + 1) + 2 + 2 * formats + 2 + sent + 2
  const end = is_last ? EXECUTE_AND_SYNC : EXECUTE
  const bytes = Buffer.allocUnsafe(1 + bind + end.length)
  let at = bytes.writeUInt8(BIND, 0)
  at = bytes.writeInt32BE(bind, at)
  // The portal has no name; that of a statement is ours, a letter and digits.
  at = bytes.writeUInt8(0, at)
  at += bytes.write(name, at, 'latin1')
  at = bytes.writeUInt8(0, at)
  at = bytes.writeUInt16BE(formats, at)
  for (let index = 0; index < formats; index += 1)
    at = bytes.writeInt16BE(Buffer.isBuffer(values[index]) ? 1 : 0, at)
  at = bytes.writeUInt16BE(values.length, at)
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(lengths[index]!, at)
    if (typeof value === 'string') at += bytes.write(value, at, 'utf8')
    else if (value !== null) at += value.copy(bytes, at)
  }
  at = bytes.writeInt16BE(0, at)
  end.copy(bytes, at)
  return bytes
}

function lengthOf(value: Value): number {
  if (value === null) return NULL_LENGTH
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length
}
