/**
 * Remembers the whole address while the person is on a page of the server that confirms their
 * identity. That page returns to the path only, and the mode is in the rest.
 */
const STORAGE_KEY = 'homeport.return'

export function rememberPageUrl(): void {
  sessionStorage.setItem(STORAGE_KEY, location.href)
}

/** Puts the remembered address back if the person returned to its path. */
export function restorePageUrl(): void {
  const kept = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  const url = kept === null ? null : URL.parse(kept)
  if (url === null || url.origin !== location.origin) return
  if (url.pathname === location.pathname && location.search === '') {
    history.replaceState(null, '', url.pathname + url.search + url.hash)
  }
}
