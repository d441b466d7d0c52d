/** The dialogs that add and rename a passkey. */
import { useState, type ReactNode } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { useFormAct } from '../../../api/form-act.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { describeDevice } from '../device.ts'
import { usePasskeyTexts } from './passkey-texts.ts'
import { addPasskey, renamePasskey, type Passkey } from '../queries.ts'

const NAME_CHARACTERS_MAX = 100

export function AddPasskeyDialog({ onClose }: { onClose(): void }) {
  const t = usePasskeyTexts()
  const { act, fault } = useFormAct({
    async run(name: string) {
      try {
        await addPasskey(name)
      } catch (error) {
        if (error instanceof ApiProblem) throw error
        throw new ApiProblem({ user_message: t(faultOf(error)) }, 0)
      }
    },
    done: t('added_done'),
    refresh: [['passkeys']],
    onDone: onClose,
  })
  return (
    <Dialog onClose={onClose} title={t('add')} about={t('add_about')}>
      <NameForm
        first={describeDevice(navigator.userAgent).name}
        hint={t('name_hint')}
        fault={fault}
        busy={act.isPending}
        action={t('add')}
        onSend={(name) => act.mutate(name)}
      />
    </Dialog>
  )
}

/** The explanation of an error of the browser. */
function faultOf(error: unknown): 'known' | 'cancelled' | 'failed' {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return 'known'
  return name === 'NotAllowedError' ? 'cancelled' : 'failed'
}

export function RenamePasskeyDialog({ row, onClose }: { row: Passkey; onClose(): void }) {
  const t = usePasskeyTexts()
  const { act, fault } = useFormAct({
    run: (name: string) => renamePasskey(row.id, name),
    done: t('renamed'),
    refresh: [['passkeys']],
    onDone: onClose,
  })
  return (
    <Dialog onClose={onClose} title={t('rename')}>
      <NameForm
        first={row.name}
        fault={fault}
        busy={act.isPending}
        action={t('save')}
        onSend={(name) => act.mutate(name)}
      />
    </Dialog>
  )
}

interface NameFormProps {
  first: string
  hint?: ReactNode
  fault: string | undefined
  busy: boolean
  action: string
  onSend(name: string): void
}

function NameForm({ first, hint, fault, busy, action, onSend }: NameFormProps) {
  const t = usePasskeyTexts()
  const [name, setName] = useState(first)
  return (
    <form
      onSubmit={submit(() => {
        if (name.trim() !== '') onSend(name.trim())
      })}
    >
      <Field label={t('name')} hint={hint} fault={fault}>
        <Input
          autoComplete="off"
          maxLength={NAME_CHARACTERS_MAX}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <DialogButtons>
        <Button type="submit" kind="primary" busy={busy} disabled={name.trim() === ''}>
          {action}
        </Button>
      </DialogButtons>
    </form>
  )
}
