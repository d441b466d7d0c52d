/**
 * A hook that tells whether something has been opened at least once, so that its code is loaded
 * only then.
 */
import { useState } from 'react'

export function useOpened(open: boolean): boolean {
  const [opened, setOpened] = useState(open)
  if (open && !opened) setOpened(true)
  return opened || open
}
