/**
 * The headers of answers: what every file of a site has by default, what the site's _headers
 * change of it, and what stands whatever they say, because the visibility of the site depends on
 * it. Fields are in the raw form of Node, names and values in turn.
 */
import type { HeaderWishes, ServedFile, ServedSite } from '../../../areas/sites/service.ts'

/** Asked for anew each time, which costs a 304: so a deploy is seen at once. */
const REVALIDATED = 'public, max-age=0, must-revalidate'
const PRIVATE = 'private, max-age=0, must-revalidate'
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Folders in which build tools keep nothing but files that are named for their contents. */
const builtFolders = /^\/(?:_next\/static|_app\/immutable|_astro)\//
/** `app.3f9a1c2e.js`: hexadecimal, with a digit and a letter, so that no word and no date is meant. */
const hexadecimal = /[.-](?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,64}\.\w+$/
/** `assets/index-Dk3xQ9aZ.js`: digits and letters of both cases. */
const mixed =
  /\/(?:assets|build|chunks|css|dist|fonts|js|media|static)\/(?:[^/]+\/)*[^/]*[.-](?=[\w]*\d)(?=[\w]*[a-z])(?=[\w]*[A-Z])[\w]{8,24}\.\w+$/

/** Whether a file is named for its contents, so that other contents have another name. */
function isFingerprinted(path: string): boolean {
  if (path.endsWith('.html')) return false
  return builtFolders.test(path) || hexadecimal.test(path) || mixed.test(path)
}

type Manner = Pick<ServedSite, 'visibility' | 'preview' | 'collections'>

/** What the whole of a file is answered with; what its form adds (length, tag) is not in it. */
export function fieldsOf(manner: Manner, file: ServedFile, wishes: HeaderWishes): string[] {
  const defaults: [name: string, value: string][] = [
    ['Cache-Control', isFingerprinted(`/${file.path}`) ? IMMUTABLE : REVALIDATED],
    ['Referrer-Policy', referrers(manner)],
    ['X-Frame-Options', 'SAMEORIGIN'],
    // A process of its own for each site, as far as the browser has one.
    ['Origin-Agent-Cluster', '?1'],
  ]
  const named = new Map(defaults.map(([name, value]) => [name.toLowerCase(), { name, value }]))
  for (const [name, wish] of wishes) {
    if (wish === null) named.delete(name)
    else named.set(name, wish)
  }
  for (const [name, value] of settled(manner)) named.set(name.toLowerCase(), { name, value })
  const fields = ['Content-Type', file.content_type, 'X-Content-Type-Options', 'nosniff']
  for (const { name, value } of named.values()) fields.push(name, value)
  if (Object.keys(file.encodings).length > 0) fields.push('Vary', 'Accept-Encoding')
  return fields
}

/** The fields with one of them replaced, or added if it is missing. */
export function withField(fields: readonly string[], name: string, value: string): string[] {
  const at = fields.findIndex((one, place) => place % 2 === 0 && one.toLowerCase() === name)
  return at < 0 ? [...fields, name, value] : fields.toSpliced(at + 1, 1, value)
}

/** The fields of an answer that stands in for another one: caches ask again each time. */
export function asStandIn(fields: readonly string[]): string[] {
  const at = fields.findIndex((one, place) => place % 2 === 0 && /^cache-control$/i.test(one))
  const now = at < 0 ? '' : (fields[at + 1] ?? '')
  if (/\bno-store\b/i.test(now)) return [...fields]
  return withField(fields, 'cache-control', /\bprivate\b/i.test(now) ? PRIVATE : REVALIDATED)
}

/**
 * An address that is a secret is told to no other site. Where there are forms it has to be: without
 * it browsers do not say where a form came from, and it would be refused.
 */
function referrers({ visibility, preview, collections }: Manner): string {
  const is_secret = visibility === 'unlisted' || preview
  const is_told = !is_secret || collections.length > 0
  return is_told ? 'strict-origin-when-cross-origin' : 'same-origin'
}

export function redirectFields(manner: Manner, to: string): string[] {
  const fields = ['Location', to, 'Content-Length', '0', 'X-Content-Type-Options', 'nosniff']
  // Caches must revalidate, because the next version may change the content of a path.
  const named = new Map([['Cache-Control', REVALIDATED], ...settled(manner)])
  named.set('Referrer-Policy', referrers(manner))
  return [...fields, ...[...named].flat()]
}

function* settled({ visibility, preview }: Manner): Generator<[name: string, value: string]> {
  if (visibility === 'password') yield ['Cache-Control', PRIVATE]
  if (visibility !== 'public' || preview) yield ['X-Robots-Tag', 'noindex']
}

/** Names and values in turn. */
export function rawFields(named: Readonly<Record<string, string>>): string[] {
  return Object.entries(named).flat()
}
