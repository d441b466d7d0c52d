/** The tooltip component. tooltip.tsx loads it lazily, because its positioning code is large. */
import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'

export interface TooltipProps {
  text: string
  children: ReactElement<Record<string, unknown>>
}

export function TooltipParts({ text, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={350} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-60">
          <Base.Popup className="pop rounded-md bg-fg px-2 py-1 text-xs font-medium text-bg shadow-pop">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
