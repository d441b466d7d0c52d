/** Opens the dialog that leads to the confirmation of the person's identity. */
import { lazy, Suspense, useEffect, useState } from 'react'

const Dialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))
const listeners = new Set<() => void>()

export const confirmIdentity = {
  ask() {
    for (const listener of listeners) listener()
  },
}

export function ConfirmIdentity() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const show = () => setOpen(true)
    listeners.add(show)
    return () => void listeners.delete(show)
  }, [])
  if (!open) return null
  return (
    <Suspense fallback={null}>
      <Dialog open onOpenChange={setOpen} />
    </Suspense>
  )
}
