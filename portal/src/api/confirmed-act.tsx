/** A button for a request that cannot be undone: it asks first. */
import { Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../ui/actions/button.tsx'
import type { AlertDialogProps } from '../ui/overlays/alert-dialog-parts.tsx'
import { AlertDialog } from '../ui/overlays/alert-dialog.tsx'
import { useAct, type Act } from './mutations.tsx'

export interface ConfirmedActProps<Result>
  extends Act<void, Result>, Pick<AlertDialogProps, 'title' | 'about' | 'typed'> {
  /** The text of the button, and of the action in the dialog. */
  text: string
  /** The button, if it is not the quiet one with a bin. */
  button?(ask: () => void): ReactNode
}

export function ConfirmedAct<Result>(props: ConfirmedActProps<Result>) {
  const { text, title, about, typed, button, onDone, ...request } = props
  const [asks, setAsks] = useState(false)
  const act = useAct<void, Result>({
    ...request,
    onDone(result) {
      setAsks(false)
      onDone?.(result)
    },
  })
  const ask = () => setAsks(true)
  return (
    <>
      {button?.(ask) ?? (
        <Button kind="ghost" size="sm" className="self-start" onClick={ask}>
          <Trash2 aria-hidden="true" />
          {text}
        </Button>
      )}
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={title}
        about={about}
        action={text}
        busy={act.isPending}
        {...(typed && { typed })}
        onConfirm={() => act.mutate()}
      />
    </>
  )
}
