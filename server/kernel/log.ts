/**
 * The log: JSON lines on stderr, because the banner goes to stdout. Texts that look like a key, token
 * or secret are redacted anywhere in a line before it is written, and of errors only what says where
 * and why they happened is written.
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
      serializers: { err: (error: unknown) => describeError(error) },
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
    },
    { write: (line: string) => stream.write(line.replace(secretText, '$1[secret]')) },
  )
}

/** The messages of these errors quote what a model, and so a person, said. */
const quotingError = /^AI_(?:JSONParse|TypeValidation|InvalidResponseData|InvalidToolInput)Error$/
const CAUSES_MAX = 5

interface DescribedError {
  type: string
  message: string
  stack: string
  code?: unknown
  statusCode?: unknown
  cause?: unknown
}

/** Without other properties, such as the request and the reply of a call, or the values of a row. */
function describeError(error: unknown, causes_max = CAUSES_MAX): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack = '', cause } = error
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const described: DescribedError = {
    type: name,
    message: quotingError.test(name) ? '' : message,
    stack: stack.replace(message, ''),
  }
  if (code !== undefined) described.code = code
  if (statusCode !== undefined) described.statusCode = statusCode
  const [first] = error instanceof AggregateError ? error.errors : [cause]
  if (first !== undefined && causes_max > 0) described.cause = describeError(first, causes_max - 1)
  return described
}
