/**
 * The REST API of VIES. If a national register does not answer, VIES replies with status 200 and a
 * meaningless `valid`. So only a reply about the requested number without an error counts.
 */
import { OutboundError, type Outbound } from '../../kernel/outbound/outbound.ts'

export const VIES_URL = 'https://ec.europa.eu/taxation_customs/vies/rest-api'

export interface ViesRequest {
  outbound: Outbound
  /** The base URL without a final slash. */
  url: string
  timeout_ms: number
  /** Compact, with its prefix. */
  vat_number: string
}

/** The verdict of VIES. `why` is a reason for the log and never contains the number. */
export type ViesVerdict = { answer: 'valid' | 'invalid' } | { answer: 'no_answer'; why: string }

export async function askVies({
  outbound,
  url,
  timeout_ms,
  vat_number,
}: ViesRequest): Promise<ViesVerdict> {
  const asked = { countryCode: vat_number.slice(0, 2), vatNumber: vat_number.slice(2) }
  try {
    const { status, body } = await outbound.request({
      url: `${url}/check-vat-number`,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(asked),
      deadline_ms: timeout_ms,
    })
    if (status !== 200) return noAnswer(`VIES answered with status ${status}.`)
    return readReply(new TextDecoder().decode(body), asked)
  } catch (error) {
    if (error instanceof OutboundError) return noAnswer(error.message)
    throw error
  }
}

function noAnswer(why: string): ViesVerdict {
  return { answer: 'no_answer', why }
}

/**
 * Values of `userError` that are not an error: the member is absent, empty, or repeats the verdict.
 */
const verdictWords = new Set<unknown>([undefined, null, '', 'VALID', 'INVALID'])

function readReply(text: string, asked: { countryCode: string; vatNumber: string }): ViesVerdict {
  const reply = parse(text)
  if (reply === null) return noAnswer('VIES answered with something that is no JSON object.')
  const trouble = troubleOf(reply)
  if (trouble !== null) return noAnswer(`VIES could not tell: ${trouble}.`)
  const { valid, userError, countryCode, vatNumber } = reply
  const about_it = countryCode === asked.countryCode && vatNumber === asked.vatNumber
  if (!about_it) return noAnswer('VIES answered about another number.')
  const contradicts =
    (userError === 'VALID' && valid !== true) || (userError === 'INVALID' && valid !== false)
  if (typeof valid !== 'boolean' || contradicts) return noAnswer('VIES gave no verdict.')
  return { answer: valid ? 'valid' : 'invalid' }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    return { ...value }
  } catch {
    return null
  }
}

function troubleOf({
  actionSucceed,
  errorWrappers,
  userError,
}: Record<string, unknown>): string | null {
  if (!verdictWords.has(userError)) return word(userError)
  if (Array.isArray(errorWrappers) && errorWrappers.length > 0) {
    const first: unknown = errorWrappers[0]
    return word(typeof first === 'object' && first && 'error' in first ? first.error : first)
  }
  return actionSucceed === false ? 'the action failed' : null
}

/** Error codes of VIES are words such as MS_UNAVAILABLE; other values are not logged. */
function word(code: unknown): string {
  return typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : 'an unknown error'
}
