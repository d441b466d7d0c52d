/** The dialog component. dialog.tsx loads it when a dialog is first opened. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '../actions/button.tsx'
import { cx } from '../class-names.ts'
import { useUiTexts } from '../texts.ts'

export interface DialogProps {
  open?: boolean
  onClose(): void
  title: string
  about?: ReactNode
  children: ReactNode
  wide?: boolean
}

export function DialogParts({
  open = true,
  onClose,
  title,
  about,
  children,
  wide = false,
}: DialogProps) {
  const t = useUiTexts()
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fade fixed inset-0 z-50 bg-black/40" />
        <Base.Viewport className="fixed inset-0 z-50 grid place-items-end overflow-y-auto sm:place-items-center sm:p-6">
          <Base.Popup
            // React events pass from a dialog to the form that it is opened from.
            onSubmit={(event) => event.stopPropagation()}
            className={cx(
              'pop relative w-full rounded-t-2xl bg-raised p-6 shadow-pop outline-none sm:rounded-2xl',
              wide ? 'sm:max-w-2xl' : 'sm:max-w-lg',
            )}
          >
            <Base.Title className="pr-10 text-xl font-semibold tracking-tight">{title}</Base.Title>
            {about !== undefined && (
              <Base.Description className="mt-1 text-muted" render={<div />}>
                {about}
              </Base.Description>
            )}
            <div className="mt-5">{children}</div>
            <Base.Close
              aria-label={t('close')}
              className={cx(
                buttonClass({ kind: 'ghost', size: 'icon' }),
                'absolute! top-4 right-4',
              )}
            >
              <X aria-hidden="true" />
            </Base.Close>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
