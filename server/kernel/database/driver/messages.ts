/**
 * Writes the protocol messages that execute a prepared statement into one buffer. The driver would
 * write three messages separately, and each write costs.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

export type ParameterValue = string | Buffer | null

const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const EXECUTE_AND_SYNC = Buffer.concat([EXECUTE, Buffer.from([0x53, 0, 0, 0, 4])])

const BIND = 0x42
/** The protocol writes null as a value of this length. */
export const NULL_LENGTH = -1

export interface Execution {
  /** The name of a prepared statement. */
  name: string
  values: readonly ParameterValue[]
  /** Whether it is the last message of its round trip, which needs a Sync. */
  is_last: boolean
}

/**
 * Bind and Execute, and Sync after the last one. Strings are sent as text and buffers as binary;
 * results are requested as text.
 */
export function writeExecution({ name, values, is_last }: Execution): Buffer {
  const lengths = values.map(lengthOf)
  const is_binary = values.some(Buffer.isBuffer)
  const sent = lengths.reduce((sum, length) => sum + 4 + Math.max(length, 0), 0)
  const formats = is_binary ? values.length : 0
  const bind = 4 + 1 + (name.length + 1) + 2 + 2 * formats + 2 + sent + 2
  const end = is_last ? EXECUTE_AND_SYNC : EXECUTE
  const bytes = Buffer.allocUnsafe(1 + bind + end.length)
  let at = bytes.writeUInt8(BIND, 0)
  at = bytes.writeInt32BE(bind, at)
  // The portal is unnamed; names of statements are ASCII.
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

function lengthOf(value: ParameterValue): number {
  if (value === null) return NULL_LENGTH
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length
}
