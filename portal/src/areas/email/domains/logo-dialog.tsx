/** The logo that inboxes show beside emails of a domain (BIMI). */
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { OperationForm } from '../../../api/operation-form.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { emailKey, removeLogo, setLogo, type Logo, type SendingDomain } from '../queries.ts'
import { emailTexts } from '../texts.ts'

export function LogoButton({ domain }: { domain: SendingDomain }) {
  const t = useTexts(emailTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button kind="ghost" size="sm" onClick={() => setIsOpen(true)}>
        {t('logo')}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('logo')}
        about={t('logo_about')}
      >
        <LogoForm domain={domain} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  )
}

interface LogoFormProps {
  domain: SendingDomain
  onDone(): void
}

function LogoForm({ domain: { id, bimi }, onDone }: LogoFormProps) {
  const t = useTexts(emailTexts)
  const scope = useProjectScope()
  const refresh = [emailKey(scope)]
  const remove = useAct({
    run: () => removeLogo(scope, id),
    done: t('logo_removed'),
    refresh,
    onDone,
  })
  const check = (text: string) => (/^https?:\/\/\S+$/.test(text) ? undefined : t('logo_fault'))
  return (
    <OperationForm
      operation="sending_domains.set_bimi"
      fields={[
        {
          path: 'logo_url',
          label: t('logo_url'),
          hint: t('logo_hint'),
          placeholder: 'https://bakery.example/logo.svg',
          initial: bimi?.logo_url ?? '',
          check,
        },
        {
          path: 'vmc_url',
          label: t('vmc_url'),
          hint: t('vmc_hint'),
          ...(bimi?.vmc_url && { initial: bimi.vmc_url }),
          check: (text) => (text === '' ? undefined : check(text)),
        },
      ]}
      action={t('logo_save')}
      done={t('logo_saved')}
      refresh={refresh}
      run={({ logo_url, vmc_url = null }: Logo) => setLogo(scope, { id, logo_url, vmc_url })}
      onDone={onDone}
    >
      {() =>
        bimi !== null && (
          <Button
            kind="ghost"
            className="self-start"
            busy={remove.isPending}
            onClick={() => remove.mutate(undefined)}
          >
            {t('logo_remove')}
          </Button>
        )
      }
    </OperationForm>
  )
}
