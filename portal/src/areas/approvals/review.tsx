/** Opens the drawer of an approval. Its code is loaded when the first one is opened. */
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
