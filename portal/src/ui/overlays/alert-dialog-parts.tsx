/** The alert dialog component. alert-dialog.tsx loads it when an alert dialog is first opened. */
import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { useState, type ReactNode } from 'react'
import { Button } from '../actions/button.tsx'
import { Field } from '../forms/field.tsx'
import { Input } from '../forms/input.tsx'
import { useUiTexts } from '../texts.ts'

export interface AlertDialogProps {
  open: boolean
  onOpenChange(open: boolean): void
  title: string
  about: ReactNode
  action: string
  busy?: boolean
  /** The text that the person must type before confirming, and the label of its input. */
  typed?: { text: string; label: string }
  onConfirm(): void
}

/** Phones type curly apostrophes and a space after a word. */
function isTyped(text: string, wanted: string): boolean {
  const plain = (value: string) => value.replaceAll(/[‘’]/g, "'").trim()
  return plain(text) === plain(wanted)
}

export function AlertDialogParts(props: AlertDialogProps) {
  const { open, onOpenChange, title, about, action, busy = false, typed, onConfirm } = props
  const t = useUiTexts()
  const [text, setText] = useState('')
  const change = (next: boolean) => {
    setText('')
    onOpenChange(next)
  }
  return (
    <Base.Root open={open} onOpenChange={change}>
      <Base.Portal>
        <Base.Backdrop className="fade fixed inset-0 z-50 bg-black/40" />
        <Base.Viewport className="fixed inset-0 z-50 grid place-items-end sm:place-items-center sm:p-6">
          <Base.Popup className="pop w-full rounded-t-2xl bg-raised p-6 shadow-pop outline-none sm:max-w-md sm:rounded-2xl">
            <Base.Title className="text-xl font-semibold tracking-tight">{title}</Base.Title>
            <Base.Description className="mt-2 text-muted" render={<div />}>
              {about}
            </Base.Description>
            {typed !== undefined && (
              <div className="mt-4">
                <Field label={typed.label}>
                  <Input
                    autoComplete="off"
                    value={text}
                    onChange={(event) => setText(event.target.value)}
                  />
                </Field>
              </div>
            )}
            <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
              <Base.Close render={<Button>{t('cancel')}</Button>} />
              <Button
                kind="danger"
                busy={busy}
                disabled={typed !== undefined && !isTyped(text, typed.text)}
                onClick={onConfirm}
              >
                {action}
              </Button>
            </div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
