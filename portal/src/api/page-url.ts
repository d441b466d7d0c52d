/**
 * Stores the full URL while the person signs in on a page of the server. That page returns to the path
 * and mode only, without the rest of the query and the fragment.
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
  const isReturn = location.search === '' || location.search === modeOf(url.search)
  if (url.pathname === location.pathname && isReturn) {
    history.replaceState(null, '', url.pathname + url.search + url.hash)
  }
}

/** The part of a query with the mode, such as `?mode=test`; empty if it has none. */
export function modeOf(search: string): string {
  const mode = new URLSearchParams(search).get('mode')
  return mode === 'test' || mode === 'live' ? `?mode=${mode}` : ''
}
