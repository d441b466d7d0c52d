/**
 * The log: JSON lines on stderr, because the banner goes to stdout. Texts that look like a key, token
 * or secret are redacted anywhere in a line before it is written.
 */
import { pino, destination, type Logger } from 'pino'

export type Log = Logger

const secretText = /\b(hm_(?:live|test|oat|ort|oac|ocs|pub)_|whsec_)[A-Za-z0-9+/=_-]+/g
const secretFields = ['authorization', 'cookie', 'password', 'secret', 'key', 'token', 'api_key']

export function createLog(
  level: string,
  stream: { write(line: string): void } = destination(2),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
    },
    { write: (line: string) => stream.write(line.replace(secretText, '$1[secret]')) },
  )
}
