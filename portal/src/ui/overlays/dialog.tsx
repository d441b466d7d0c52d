/** A modal dialog. */
import { lazy, Suspense, type ReactNode } from 'react'
import type { DialogProps } from './dialog-parts.tsx'
import { useOpened } from './opened.ts'

const Parts = lazy(async () => ({ default: (await import('./dialog-parts.tsx')).DialogParts }))

export function Dialog(props: DialogProps) {
  if (!useOpened(props.open ?? true)) return null
  return (
    <Suspense fallback={null}>
      <Parts {...props} />
    </Suspense>
  )
}

/** The buttons at the bottom of a dialog; the main one is last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>
  )
}
