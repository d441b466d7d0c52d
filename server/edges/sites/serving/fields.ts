/**
 * Response headers: the defaults for every file, the changes by _headers of the site, and headers
 * that _headers cannot change because the visibility of the site depends on them. Fields are in
 * Node's raw form: names and values alternate.
 */
import {
  isActiveType,
  type HeaderChanges,
  type ServedFile,
  type ServedSite,
} from '../../../areas/sites/service.ts'

/** Caches revalidate each time, so that a deploy is visible at once. */
const REVALIDATED = 'public, max-age=0, must-revalidate'
const PRIVATE = 'private, max-age=0, must-revalidate'
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Folders in which build tools put only files with content hashes in their names. */
const builtFolders = /^\/(?:_next\/static|_app\/immutable|_astro)\//
/**
 * Matches `app.3f9a1c2e.js`: hexadecimal, with a digit and a letter, so that words and dates do not
 * match.
 */
const hexadecimal = /[.-](?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,64}\.\w+$/
/** Matches `assets/index-Dk3xQ9aZ.js`: digits and letters of both cases. */
const mixed =
  /\/(?:assets|build|chunks|css|dist|fonts|js|media|static)\/(?:[^/]+\/)*[^/]*[.-](?=[\w]*\d)(?=[\w]*[a-z])(?=[\w]*[A-Z])[\w]{8,24}\.\w+$/

/**
 * Whether the name of a file contains a hash of its content, so that other content has another
 * name.
 */
function isFingerprinted(path: string): boolean {
  if (path.endsWith('.html')) return false
  return builtFolders.test(path) || hexadecimal.test(path) || mixed.test(path)
}

type SiteExposure = Pick<ServedSite, 'visibility' | 'preview' | 'collections'>

/** Returns the fields shared by all encodings of a file; length and entity tag are added later. */
export function createFields(
  manner: SiteExposure,
  file: ServedFile,
  wishes: HeaderChanges,
): string[] {
  const defaults: [name: string, value: string][] = [
    ['Cache-Control', isFingerprinted(`/${file.path}`) ? IMMUTABLE : REVALIDATED],
    ['Referrer-Policy', referrerPolicy(manner)],
    ['X-Frame-Options', 'SAMEORIGIN'],
    // Asks the browser for a separate process for each site, where it supports that.
    ['Origin-Agent-Cluster', '?1'],
  ]
  const named = new Map(defaults.map(([name, value]) => [name.toLowerCase(), { name, value }]))
  // A rule such as /* does not change the type of pages and scripts.
  const wish = isActiveType(file.content_type) ? null : wishes.get('content-type')
  const type = wish?.value ?? file.content_type
  for (const [name, wish] of wishes) {
    if (name === 'content-type') continue
    if (wish === null) named.delete(name)
    else named.set(name, wish)
  }
  for (const [name, value] of fixedFields(manner)) named.set(name.toLowerCase(), { name, value })
  const fields = ['Content-Type', type, 'X-Content-Type-Options', 'nosniff']
  for (const { name, value } of named.values()) fields.push(name, value)
  if (Object.keys(file.encodings).length > 0) fields.push('Vary', 'Accept-Encoding')
  return fields
}

/** Returns the fields with one of them replaced or added. */
export function replaceField(fields: readonly string[], name: string, value: string): string[] {
  const at = fields.findIndex((one, place) => place % 2 === 0 && one.toLowerCase() === name)
  return at < 0 ? [...fields, name, value] : fields.toSpliced(at + 1, 1, value)
}

/**
 * Returns the fields for the original of a picture that is sent instead of a copy: caches
 * revalidate each time.
 */
export function toTemporaryFields(fields: readonly string[]): string[] {
  const at = fields.findIndex((one, place) => place % 2 === 0 && /^cache-control$/i.test(one))
  const now = at < 0 ? '' : (fields[at + 1] ?? '')
  if (/\bno-store\b/i.test(now)) return [...fields]
  return replaceField(fields, 'cache-control', /\bprivate\b/i.test(now) ? PRIVATE : REVALIDATED)
}

/**
 * Secret addresses are not sent to other origins. Sites with forms are an exception, because
 * browsers would send their forms without an origin, and they would be refused.
 */
function referrerPolicy({ visibility, preview, collections }: SiteExposure): string {
  const is_secret = visibility === 'unlisted' || preview
  const is_told = !is_secret || collections.length > 0
  return is_told ? 'strict-origin-when-cross-origin' : 'same-origin'
}

export function createRedirectFields(manner: SiteExposure, to: string): string[] {
  const fields = ['Location', to, 'Content-Length', '0', 'X-Content-Type-Options', 'nosniff']
  // Caches must revalidate, because the next version may change the content of a path.
  const named = new Map([['Cache-Control', REVALIDATED], ...fixedFields(manner)])
  named.set('Referrer-Policy', referrerPolicy(manner))
  return [...fields, ...[...named].flat()]
}

function* fixedFields({
  visibility,
  preview,
}: SiteExposure): Generator<[name: string, value: string]> {
  if (visibility === 'password') yield ['Cache-Control', PRIVATE]
  if (visibility !== 'public' || preview) yield ['X-Robots-Tag', 'noindex']
}

/** Converts named fields to alternating names and values. */
export function toRawFields(named: Readonly<Record<string, string>>): string[] {
  return Object.entries(named).flat()
}
