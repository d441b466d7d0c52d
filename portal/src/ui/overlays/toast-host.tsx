/** Shows the messages of toast.tsx. Loaded with the first one. */
import { Toast as Base } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useUiTexts } from '../texts.ts'
import type { Message } from './toast.tsx'

/** How long a message stays; a fault longer, because it says what to do. */
const SHOWN_MS = { good: 4_500, bad: 9_000 }
const SHOWN_MAX = 3

export interface ToastHostProps {
  /** Messages that were said before this component was loaded, and every later one. */
  receive(show: (message: Message) => void): () => void
}

type Data = Pick<Message, 'plan_url'>

export function ToastHost({ receive }: ToastHostProps) {
  const [manager] = useState(() => Base.createToastManager<Data>())
  useEffect(
    () =>
      receive(({ tone, title, about, plan_url }) => {
        const description = about === null ? {} : { description: about }
        const data = { plan_url }
        manager.add({ title, type: tone, timeout: SHOWN_MS[tone], data, ...description })
      }),
    [manager, receive],
  )
  return (
    <Base.Provider toastManager={manager} limit={SHOWN_MAX}>
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-4 left-4 z-70 flex flex-col gap-2 sm:left-auto sm:w-90">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function ToastList() {
  const t = useUiTexts()
  const { toasts } = Base.useToastManager<Data>()
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
        {toast.data?.plan_url && (
          <a
            href={toast.data.plan_url}
            className="mt-1.5 inline-block text-sm font-medium text-accent"
          >
            {t('see_plans')}
          </a>
        )}
      </div>
      {/* Base UI hides the button from screen readers unless the list is hovered, but it stays focusable. */}
      <Base.Close
        aria-hidden={false}
        aria-label={t('close')}
        className="rounded p-0.5 text-faint hover:text-fg"
      >
        <X className="size-4" aria-hidden="true" />
      </Base.Close>
    </Base.Root>
  ))
}
