/** Whether the screen has room for two panes beside each other. */
import { useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 64rem)')

function isWideNow(): boolean {
  return wide.matches
}

export function useWide(): boolean {
  return useSyncExternalStore((listener) => {
    wide.addEventListener('change', listener)
    return () => wide.removeEventListener('change', listener)
  }, isWideNow)
}
