/** The dialog that sets an authenticator app up: a QR code, the secret as text, and the first code. */
import { useState } from 'react'
import { useFormAct } from '../../../api/form-act.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { CopyButton } from '../../../ui/actions/copy-button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { CodeInput } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { confirmTotp, type TotpSetup } from '../queries.ts'
import { useTotpTexts } from './totp-texts.ts'

export interface TotpDialogProps {
  setup: TotpSetup
  onClose(): void
  onCodes(codes: readonly string[]): void
}

export function TotpDialog({ setup, onClose, onCodes }: TotpDialogProps) {
  const t = useTotpTexts()
  return (
    <Dialog onClose={onClose} title={t('title')} about={t('scan')}>
      <img
        src={setup.qr}
        width={192}
        height={192}
        alt={t('qr')}
        className="mx-auto rounded-lg bg-white"
      />
      <div className="mt-4 flex items-center gap-2">
        <code className="min-w-0 flex-1 rounded-lg bg-bg px-3 py-2 font-mono text-sm break-all">
          {setup.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
        </code>
        <CopyButton text={setup.secret} label={t('copy_secret')} kind="secondary" />
      </div>
      <FirstCode setup={setup} onClose={onClose} onCodes={onCodes} />
    </Dialog>
  )
}

function FirstCode({ setup, onClose, onCodes }: TotpDialogProps) {
  const t = useTotpTexts()
  const [code, setCode] = useState('')
  const { act, fault } = useFormAct({
    run: () => confirmTotp({ sealed: setup.sealed, code }),
    done: t('turned_on'),
    refresh: [['me'], ['sessions']],
    onDone({ recovery_codes }) {
      onCodes(recovery_codes)
      onClose()
    },
  })
  return (
    <form
      className="mt-5"
      onSubmit={submit(() => {
        if (code.trim() !== '') act.mutate(undefined)
      })}
    >
      <Field label={t('code')} fault={fault}>
        <CodeInput value={code} onChange={({ target }) => setCode(target.value)} />
      </Field>
      <DialogButtons>
        <Button type="submit" kind="primary" busy={act.isPending} disabled={code.trim() === ''}>
          {t('turn_on')}
        </Button>
      </DialogButtons>
    </form>
  )
}
