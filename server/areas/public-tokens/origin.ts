/**
 * Origins of web pages. A typed origin is normalised to the form that browsers send in the Origin
 * header, so the header is compared by equality.
 */
const loopback = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#@]+\/?$/i
const ORIGIN_CHARACTERS_MAX = 300
const WILDCARD = '*.'
/** Public suffixes such as `co.uk`: a wildcard below them would allow sites of strangers. */
const sharedSuffix = /^(?:com?|net|org|gov|edu|ac)\.[a-z]{2}$/

/**
 * `HTTPS://www.Example.nl:443/` → `https://www.example.nl`; null if the text is not an https (or
 * loopback http) origin.
 */
export function normalizeOrigin(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > ORIGIN_CHARACTERS_MAX || !origin.test(trimmed)) return null
  const url = URL.parse(trimmed)
  if (url === null || url.username + url.password !== '' || url.pathname !== '/') return null
  if (url.search + url.hash !== '' || !isSiteName(url.hostname)) return null
  const trusted =
    url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname))
  return trusted ? url.origin : null
}

/**
 * Like `normalizeOrigin`; accepts `*.example.com` too, which stands for the https origins of every
 * subdomain of example.com on the default port, but not for example.com itself.
 */
export function normalizeAllowedOrigin(text: string): string | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith(WILDCARD)) return normalizeOrigin(trimmed)
  const base = normalizeOrigin(`https://${trimmed.slice(WILDCARD.length)}`)
  const host = base?.slice('https://'.length) ?? ''
  const is_name = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host) && !/^[\d.]+$/.test(host)
  return is_name && !sharedSuffix.test(host) ? WILDCARD + host : null
}

/** Whether a list of allowed origins, as `normalizeAllowedOrigin` returns them, has this origin. */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  return listMatchingEntries(origin).some((entry) => allowed.includes(entry))
}

/** The entries that allow an origin: itself, and a wildcard for each domain above its host. */
export function listMatchingEntries(origin: string): string[] {
  if (origin.length > ORIGIN_CHARACTERS_MAX) return [origin]
  const host = /^https:\/\/([a-z0-9_.-]+)$/.exec(origin)?.[1]
  const labels = host?.split('.') ?? []
  const above = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
  return [origin, ...above.map((domain) => WILDCARD + domain)]
}

/** Rejects wildcards and empty labels: `example.nl.` is another origin than `example.nl`. */
function isSiteName(hostname: string): boolean {
  return hostname.startsWith('[') || /^[a-z0-9_](?:[a-z0-9_-]*)(?:\.[a-z0-9_-]+)*$/.test(hostname)
}
