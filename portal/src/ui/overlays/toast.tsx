/** Short messages after an act, in a corner, for some seconds. */
import { Toast as Base } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../language/texts.ts'
import { uiTexts } from '../texts.ts'

const manager = Base.createToastManager()

/** Says that something was done. */
export function say(title: string): void {
  manager.add({ title, type: 'good' })
}

/** Says that something failed, and what to do. */
export function sayFault(title: string, description?: string): void {
  manager.add({ title, type: 'bad', timeout: 9_000, ...(description && { description }) })
}

export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Base.Provider toastManager={manager} timeout={4_500} limit={3}>
      {children}
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-4 left-4 z-70 flex flex-col gap-2 sm:left-auto sm:w-90">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function ToastList() {
  const t = useTexts(uiTexts)
  const { toasts } = Base.useToastManager()
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      className="pop flex items-start gap-3 rounded-xl bg-raised p-4 shadow-pop"
    >
      {toast.type === 'bad' ? (
        <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden="true" />
      ) : (
        <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden="true" />
      )}
      <div className="min-w-0 flex-1">
        <Base.Title className="font-medium" render={<p />} />
        <Base.Description className="mt-0.5 text-sm text-muted" />
      </div>
      <Base.Close aria-label={t('close')} className="rounded p-0.5 text-faint hover:text-fg">
        <X className="size-4" aria-hidden="true" />
      </Base.Close>
    </Base.Root>
  ))
}
