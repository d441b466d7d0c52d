/**
 * The formats of JSON Schema 2020-12, checked in time that grows with the text and nothing else:
 * what could take longer is cut off first by the length that its standard allows.
 */
import { domainToASCII, domainToUnicode } from 'node:url'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isUuid } from '../../../kernel/values/ids.ts'
import { isReference, isUri } from './uri.ts'

export type Format = (text: string) => boolean

const EMAIL_LENGTH_MAX = 254
const HOST_LENGTH_MAX = 253
const REGEX_LENGTH_MAX = 1000
const IPV6_LENGTH_MAX = 45

const clock = '(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)'
const days = '(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)'
const durationPattern = new RegExp(`^P(?:\\d+W|${days}(?:T${clock})?|T${clock})$`)
const timePattern = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i
const templatePattern =
  /^(?:[^\p{Cc} "<>%\\^`{|}]|%[0-9a-f]{2}|\{[+#./;?&=,!@|]?VARIABLE(?:,VARIABLE)*\})*$/u
const variable =
  '(?:[a-z0-9_]|%[0-9a-f]{2})(?:\\.?(?:[a-z0-9_]|%[0-9a-f]{2}))*(?::[1-9][0-9]{0,3}|\\*)?'
const uriTemplate = new RegExp(templatePattern.source.replaceAll('VARIABLE', variable), 'iu')
const localPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\u{80}-\u{10ffff}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\u{80}-\u{10ffff}-]+)*$/iu

/** The library's own, by name, where they are right and quick. */
function known(name: keyof typeof fullFormats, length_max = Infinity): Format {
  const format: unknown = fullFormats[name]
  return (text) => text.length <= length_max && format instanceof RegExp && format.test(text)
}

const isIpv4 = known('ipv4', 15)
const isIpv6 = known('ipv6', IPV6_LENGTH_MAX)
const isPlainEmail = known('email', EMAIL_LENGTH_MAX)
const isPlainHostname = known('hostname', HOST_LENGTH_MAX)

export const formats: Readonly<Record<string, Format>> = {
  date: isDate,
  time: isTime,
  'date-time': (text) =>
    /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  duration: (text) => durationPattern.test(text),
  email: isPlainEmail,
  'idn-email': isEmail,
  hostname: isHostname,
  'idn-hostname': isInternationalHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: (text) => isUri(text),
  'uri-reference': (text) => isReference(text),
  iri: (text) => isUri(text, { international: true }),
  'iri-reference': (text) => isReference(text, { international: true }),
  url: (text) => /^https?:\/\/[^/]/i.test(text) && isUri(text, { international: true }),
  uuid: isUuid,
  // A file of the media library, by its id.
  media: isUuid,
  'uri-template': (text) => uriTemplate.test(text),
  'json-pointer': known('json-pointer'),
  'relative-json-pointer': known('relative-json-pointer'),
  regex: isRegex,
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return false
  const is_leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const longest = [31, is_leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  return longest !== undefined && day >= 1 && day <= longest
}

/** A leap second is only right at the end of a day in Greenwich. */
function isTime(text: string): boolean {
  const found = timePattern.exec(text)
  if (!found) return false
  const [, hours, minutes, seconds, sign, offset_hours = 0, offset_minutes = 0] = found.map(
    (part) => (part === '+' ? 1 : part === '-' ? -1 : Number(part ?? 0)),
  )
  if (hours === undefined || minutes === undefined || seconds === undefined) return false
  if (hours > 23 || minutes > 59 || offset_hours > 23 || offset_minutes > 59) return false
  if (seconds < 60) return true
  const day_minutes = 24 * 60
  const minute = hours * 60 + minutes - (sign ?? 0) * (offset_hours * 60 + offset_minutes)
  return seconds === 60 && (minute + day_minutes) % day_minutes === day_minutes - 1
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > EMAIL_LENGTH_MAX) return false
  return localPattern.test(text.slice(0, at)) && isInternationalHostname(text.slice(at + 1))
}

function isHostname(text: string): boolean {
  if (!isPlainHostname(text) || text.endsWith('.')) return false
  return text.split('.').every(isLabel)
}

/** Letters, digits and hyphens; one in the coded form must stand for something. */
function isLabel(label: string): boolean {
  const lower = label.toLowerCase()
  if (!lower.startsWith('xn--')) return lower.slice(2, 4) !== '--'
  const written = domainToUnicode(lower)
  return written !== '' && written !== lower && domainToASCII(written) === lower
}

function isInternationalHostname(text: string): boolean {
  if (text === '' || text.length > HOST_LENGTH_MAX) return false
  const labels = text.split(/[.\u3002\uff0e\uff61]/u)
  if (labels.some((label) => label === '' || /^-|-$/.test(label))) return false
  const coded = labels.map((label) => (isAscii(label) ? label : codedLabel(label)))
  return isHostname(coded.join('.'))
}

function codedLabel(label: string): string {
  return label.slice(2, 4) === '--' || /^\p{M}/u.test(label) ? '' : domainToASCII(label)
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

function isRegex(text: string): boolean {
  if (text.length > REGEX_LENGTH_MAX) return false
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}
