/**
 * Resolves an address against a host and keeps it only if it stays on that host. Used for every
 * redirect whose target somebody else wrote.
 */

/** Stands for whichever host the path is on. The name is reserved (RFC 2606): nothing is there. */
const ORIGIN = 'http://host.invalid'

/**
 * Returns the normal form of a path on the same host: path, query and fragment, beginning with
 * exactly one slash. Returns null for an address of another host and for anything else.
 *
 * The result is resolved a second time, because normalising can turn a path into the address of
 * another host: `/.//other.example` becomes `//other.example`.
 */
export function localPath(text: string): string | null {
  const first = text.startsWith('/') ? URL.parse(text, ORIGIN) : null
  if (first === null || first.origin !== ORIGIN) return null
  const path = first.pathname + first.search + first.hash
  const second = URL.parse(path, ORIGIN)
  return second?.href === first.href ? path : null
}
