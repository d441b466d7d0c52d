/**
 * Resolves an address and accepts it only if it stays on its host. Used for every redirect whose
 * target is untrusted.
 */

/** A placeholder for the host of the path; reserved by RFC 2606, so it does not exist. */
const ORIGIN = 'http://host.invalid'

/**
 * Returns the normalized path on the same host: path, query and fragment, beginning with exactly
 * one slash. Returns null for an address of another host and for anything else.
 *
 * The result is resolved a second time, because normalizing can turn a path into the address of
 * another host: `/.//other.example` becomes `//other.example`.
 */
export function localPath(text: string): string | null {
  const first = text.startsWith('/') ? URL.parse(text, ORIGIN) : null
  if (first === null || first.origin !== ORIGIN) return null
  const path = first.pathname + first.search + first.hash
  const second = URL.parse(path, ORIGIN)
  return second?.href === first.href ? path : null
}
