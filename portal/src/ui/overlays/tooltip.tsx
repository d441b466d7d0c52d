/**
 * A short explanation of a control, on hover and focus. The control works before the code of the
 * tooltip is loaded.
 */
import { lazy, Suspense } from 'react'
import type { TooltipProps } from './tooltip-parts.tsx'

const Parts = lazy(async () => ({ default: (await import('./tooltip-parts.tsx')).TooltipParts }))

export function Tooltip(props: TooltipProps) {
  return (
    <Suspense fallback={props.children}>
      <Parts {...props} />
    </Suspense>
  )
}
