/**
 * Stores the full URL while the person confirms their identity on a page of the server. That page
 * returns to the path only, without the query, which contains the mode.
 */
const STORAGE_KEY = 'homeport.return'

export function rememberPageUrl(): void {
  sessionStorage.setItem(STORAGE_KEY, location.href)
}

/** Restores the stored URL if the person returned to its path. */
export function restorePageUrl(): void {
  const kept = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  const url = kept === null ? null : URL.parse(kept)
  if (url === null || url.origin !== location.origin) return
  if (url.pathname === location.pathname && location.search === '') {
    history.replaceState(null, '', url.pathname + url.search + url.hash)
  }
}
