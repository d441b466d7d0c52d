/**
 * Origins of web pages. A typed origin is normalised to the form that browsers send in the Origin
 * header, so the header is compared by equality.
 */
const loopback = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#@]+\/?$/i
const ORIGIN_CHARACTERS_MAX = 300

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

/** Rejects wildcards and empty labels: `example.nl.` is another origin than `example.nl`. */
function isSiteName(hostname: string): boolean {
  return hostname.startsWith('[') || /^[a-z0-9_](?:[a-z0-9_-]*)(?:\.[a-z0-9_-]+)*$/.test(hostname)
}
