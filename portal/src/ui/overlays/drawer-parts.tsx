/** The drawer component. drawer.tsx loads it when a drawer is first opened. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '../actions/button.tsx'
import { cx } from '../class-names.ts'
import { useUiTexts } from '../texts.ts'

export interface DrawerProps {
  open: boolean
  onClose(): void
  title: string
  side?: 'left' | 'right'
  children: ReactNode
}

export function DrawerParts(props: DrawerProps) {
  const { open, onClose, title, side = 'right', children } = props
  const t = useUiTexts()
  const isLeft = side === 'left'
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fade fixed inset-0 z-50 bg-black/40" />
        <Base.Popup
          className={cx(
            'fixed inset-y-0 z-50 flex flex-col bg-raised shadow-pop outline-none',
            isLeft ? 'slide-left left-0 w-72' : 'slide-right right-0 w-full sm:w-140',
          )}
        >
          <div className="flex items-center gap-3 border-b border-line px-5 py-3">
            <Base.Title className="flex-1 text-lg font-semibold tracking-tight">{title}</Base.Title>
            <Base.Close
              aria-label={t('close')}
              className={buttonClass({ kind: 'ghost', size: 'icon' })}
            >
              <X aria-hidden="true" />
            </Base.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
