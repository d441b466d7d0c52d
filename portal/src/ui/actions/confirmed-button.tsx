/** A quiet button for an action that cannot be undone: it asks first. */
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AlertDialog } from '../overlays/alert-dialog.tsx'
import { Button } from './button.tsx'

export interface ConfirmedButtonProps {
  /** The text of the button, and of the action in the dialog. */
  text: string
  title: string
  about: string
  busy: boolean
  onConfirm(): void
}

export function ConfirmedButton({ text, title, about, busy, onConfirm }: ConfirmedButtonProps) {
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Button kind="ghost" size="sm" className="self-start" onClick={() => setAsks(true)}>
        <Trash2 aria-hidden="true" />
        {text}
      </Button>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={title}
        about={about}
        action={text}
        busy={busy}
        onConfirm={onConfirm}
      />
    </>
  )
}
