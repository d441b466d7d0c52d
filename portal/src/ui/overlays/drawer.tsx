/** A panel at the side of the screen: the navigation on a phone, or the details of a record. */
import { lazy, Suspense } from 'react'
import type { DrawerProps } from './drawer-parts.tsx'
import { useOpened } from './opened.ts'

const Parts = lazy(async () => ({ default: (await import('./drawer-parts.tsx')).DrawerParts }))

export function Drawer(props: DrawerProps) {
  if (!useOpened(props.open)) return null
  return (
    <Suspense fallback={null}>
      <Parts {...props} />
    </Suspense>
  )
}
