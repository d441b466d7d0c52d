/** Opens a request; the code for it is loaded with the first. */
import { lazy, Suspense } from 'react'
import type { ApprovalDrawerProps } from './approval-drawer.tsx'

const Drawer = lazy(async () => ({
  default: (await import('./approval-drawer.tsx')).ApprovalDrawer,
}))

export function Review({ id, onClose }: ApprovalDrawerProps) {
  if (id === null) return null
  return (
    <Suspense fallback={null}>
      <Drawer id={id} onClose={onClose} />
    </Suspense>
  )
}
