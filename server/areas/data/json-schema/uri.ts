/**
 * Addresses as RFC 3986 (URI) and RFC 3987 (IRI) write them: cut into their parts first, then each
 * part held to its characters, so that no text takes more than one look at each of its characters.
 */
import { fullFormats } from 'ajv-formats/dist/formats.js'

interface Kind {
  /** With the letters of all scripts. */
  international?: boolean
}

interface Characters {
  user: RegExp
  name: RegExp
  path: RegExp
  query: RegExp
  fragment: RegExp
}

const partsPattern =
  /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is
const authorityPattern = /^(?:([^@]*)@)?(\[[^[\]]*\]|[^:@[\]]*)(?::\d*)?$/
const futurePattern = /^v[0-9a-f]+\.[a-z0-9._~!$&'()*+,;=:-]+$/i
const IPV6_LENGTH_MAX = 45

const plain = charactersWith('', '')
const international = charactersWith(
  '\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}\\u{10000}-\\u{1fffd}\\u{20000}-\\u{2fffd}' +
    '\\u{30000}-\\u{3fffd}\\u{40000}-\\u{efffd}',
  '\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}',
)

function charactersWith(letters: string, privateLetters: string): Characters {
  const of = (more: string): RegExp =>
    new RegExp(`^(?:[a-z0-9._~!$&'()*+,;=${more}${letters}\\-]|%[0-9a-f]{2})*$`, 'iu')
  return {
    user: of(':'),
    name: of(''),
    path: of(':@\\/'),
    query: of(`:@\\/?${privateLetters}`),
    fragment: of(':@\\/?'),
  }
}

export function isUri(text: string, kind: Kind = {}): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isReference(text, kind)
}

/** A whole address, or one relative to another. */
export function isReference(text: string, kind: Kind = {}): boolean {
  const characters = kind.international ? international : plain
  const [whole, scheme, authority, path = '', query = '', fragment = ''] =
    partsPattern.exec(text) ?? []
  if (whole === undefined) return false
  const begins =
    authority === undefined ? isPathAlone(path, scheme) : isAuthority(authority, characters)
  if (!begins) return false
  return (
    characters.path.test(path) && characters.query.test(query) && characters.fragment.test(fragment)
  )
}

/** Without a scheme, a colon in the first part of the path would be taken for the end of one. */
function isPathAlone(path: string, scheme: string | undefined): boolean {
  return !path.startsWith('//') && (scheme !== undefined || !/^[^/]*:/.test(path))
}

function isAuthority(authority: string, characters: Characters): boolean {
  const [whole, user = '', host = ''] = authorityPattern.exec(authority) ?? []
  if (whole === undefined || !characters.user.test(user)) return false
  return host.startsWith('[') ? isLiteral(host.slice(1, -1)) : characters.name.test(host)
}

function isLiteral(host: string): boolean {
  const ipv6: unknown = fullFormats.ipv6
  if (futurePattern.test(host)) return true
  return ipv6 instanceof RegExp && host.length <= IPV6_LENGTH_MAX && ipv6.test(host)
}
