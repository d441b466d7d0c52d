/** The dialog that connects the account of the project at a provider. */
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { ChoiceCards } from '../../ui/forms/choice-cards.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { connectAccount, paymentsKey, type WantedAccount } from './queries.ts'
import { paymentTexts } from './texts.ts'

const providers = ['mollie', 'stripe', 'builtin'] as const
const KEY_CHARACTERS_MIN = 10

export function ConnectAccount({ onClose }: { onClose(): void }) {
  const t = useTexts(paymentTexts)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('connect_title')}
      about={t('connect_what')}
    >
      <AccountForm onClose={onClose} />
    </Dialog>
  )
}

function AccountForm({ onClose }: { onClose(): void }) {
  const t = useTexts(paymentTexts)
  const scope = useProjectScope()
  const [provider, setProvider] = useState<(typeof providers)[number]>('mollie')
  const [key, setKey] = useState('')
  const [isTried, setIsTried] = useState(false)
  const [refused, setRefused] = useState<{ key: string; message: string } | null>(null)
  const act = useAct({
    run: (wanted: WantedAccount) => connectAccount(scope, wanted),
    done: t('connected_done'),
    refresh: [paymentsKey(scope)],
    onDone: onClose,
    onFault({ faults }) {
      const found = faults.find(({ path }) => path === '/key')
      if (found) setRefused({ key, message: found.message })
      return found !== undefined
    },
  })
  const is_external = provider !== 'builtin'
  const is_short = key.trim().length < KEY_CHARACTERS_MIN
  const fault = isTried && is_short ? t('key_fault') : undefined
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        if (is_external && is_short) return
        act.mutate({ provider, ...(is_external && { key: key.trim() }) })
      }}
    >
      <ChoiceCards
        legend={t('provider')}
        value={provider}
        onChange={(chosen) => {
          setProvider(chosen)
          setRefused(null)
        }}
        choices={providers.map((value) => ({ value, title: t(value), about: t(`${value}_about`) }))}
      />
      {is_external && (
        <Field
          label={t('secret_key')}
          hint={t(`secret_key_${provider}`)}
          fault={refused?.key === key ? refused.message : fault}
        >
          <Input
            type="password"
            autoComplete="off"
            maxLength={300}
            value={key}
            onChange={({ target }) => setKey(target.value)}
          />
        </Field>
      )}
      <DialogButtons>
        <Button kind="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t('connect')}
        </Button>
      </DialogButtons>
    </form>
  )
}
