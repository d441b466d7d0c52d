/**
 * The formats of JSON Schema 2020-12, each checked in linear time. Uses the checks of ajv-formats
 * where they are linear and strict, after a length limit where they are not.
 */
import { domainToASCII, domainToUnicode } from 'node:url'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isUuid } from '../../../kernel/values/ids.ts'

export type FormatCheck = (text: string) => boolean

const EMAIL_LENGTH_MAX = 254
const HOST_LENGTH_MAX = 253
const REGEX_LENGTH_MAX = 1000
const IPV6_LENGTH_MAX = 45

const clock = '(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)'
const days = '(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)'
const durationPattern = new RegExp(`^P(?:\\d+W|${days}(?:T${clock})?|T${clock})$`)
const timePattern = /^(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i
const variable =
  '(?:[a-z0-9_]|%[0-9a-f]{2})(?:\\.?(?:[a-z0-9_]|%[0-9a-f]{2}))*(?::[1-9][0-9]{0,3}|\\*)?'
const templatePattern = new RegExp(
  '^(?:[^\\p{Cc} "<>%\\\\^`{|}]|%[0-9a-f]{2}|' +
    `\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\})*$`,
  'iu',
)
const localPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\u{80}-\u{10ffff}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\u{80}-\u{10ffff}-]+)*$/iu

/** Wraps a check of ajv-formats; longer texts than `length_max` characters fail. */
function libraryFormat(name: keyof typeof fullFormats, length_max = Infinity): FormatCheck {
  const format: unknown = fullFormats[name]
  const check: (text: string) => boolean =
    format instanceof RegExp ? (text) => format.test(text) : Object(format).validate
  return (text) => text.length <= length_max && check(text)
}

const isDate = libraryFormat('date')
const isLibraryTime = libraryFormat('time')
const isIpv4 = libraryFormat('ipv4', 15)
const isIpv6 = libraryFormat('ipv6', IPV6_LENGTH_MAX)
const isPlainEmail = libraryFormat('email', EMAIL_LENGTH_MAX)
const isPlainHostname = libraryFormat('hostname', HOST_LENGTH_MAX)

export const formats: Readonly<Record<string, FormatCheck>> = {
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
  uri: isUri,
  'uri-reference': isReference,
  iri: (text) => isUri(withoutLetters(text)),
  'iri-reference': (text) => isReference(withoutLetters(text)),
  url: (text) => /^https?:\/\/[^/]/i.test(text) && isUri(withoutLetters(text)),
  uuid: isUuid,
  // The id of a file in the media library.
  media: isUuid,
  'uri-template': (text) => templatePattern.test(text),
  'json-pointer': libraryFormat('json-pointer'),
  'relative-json-pointer': libraryFormat('relative-json-pointer'),
  regex: isRegex,
}

/** The fraction is cut off because the library rounds 59.999… to a leap second. */
function isTime(text: string): boolean {
  return timePattern.test(text) && isLibraryTime(text.replace(/\.\d+/, ''))
}

const character = (more: string): string => `(?:[a-z0-9._~!$&'()*+,;=${more}-]|%[0-9a-f]{2})*`
/** RFC 3986. Without an authority, the path must not begin with two slashes. */
const referencePattern = new RegExp(
  `^(?<scheme>[a-z][a-z0-9+.-]*:)?(?:\\/\\/(?:${character(':')}@)?` +
    `(?:\\[(?<literal>[^\\]]*)\\]|${character('')})(?::\\d*)?(?=[/?#]|$)|(?!\\/\\/))` +
    `${character(':@/')}(?:\\?${character(':@/?')})?(?:#${character(':@/?')})?$`,
  'i',
)
const futureAddress = /^v[0-9a-f]+\.[a-z0-9._~!$&'()*+,;=:-]+$/i

function isReference(text: string): boolean {
  const { scheme, literal } = referencePattern.exec(text)?.groups ?? { literal: '' }
  if (literal !== undefined && !isIpv6(literal) && !futureAddress.test(literal)) return false
  // A colon in the first segment would end a scheme.
  return scheme !== undefined || !/^[^/?#]*:/.test(text)
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isReference(text)
}

const letters =
  /[\u{a0}-\u{d7ff}\u{f900}-\u{fdcf}\u{fdf0}-\u{ffef}\u{10000}-\u{1fffd}\u{20000}-\u{efffd}]/gu
const privateLetters = /[\u{e000}-\u{f8ff}\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/gu

/** Replaces non-ASCII letters, which RFC 3987 allows where RFC 3986 allows ASCII letters. */
function withoutLetters(text: string): string {
  const query = (found: string): string => found.replaceAll(privateLetters, 'x')
  return text.replace(/\?[^#]*/, query).replaceAll(letters, 'x')
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

/** A Punycode label must decode, and encode to the same label again. */
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
