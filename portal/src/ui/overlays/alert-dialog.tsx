/**
 * A dialog that asks for confirmation of an action that cannot be undone. It may require typing a
 * name.
 */
import { lazy, Suspense } from 'react'
import type { AlertDialogProps } from './alert-dialog-parts.tsx'
import { useOpened } from './opened.ts'

const Parts = lazy(async () => ({
  default: (await import('./alert-dialog-parts.tsx')).AlertDialogParts,
}))

export function AlertDialog(props: AlertDialogProps) {
  if (!useOpened(props.open)) return null
  return (
    <Suspense fallback={null}>
      <Parts {...props} />
    </Suspense>
  )
}
