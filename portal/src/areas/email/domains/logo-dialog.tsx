/** The logo that inboxes show beside emails of a domain (BIMI). */
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { translateMessage } from '../../../language/server-texts/translate.ts'
import { useLanguage } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { emailKey, removeLogo, setLogo, type Logo, type SendingDomain } from '../queries.ts'
import { useEmailTexts } from '../texts.ts'

export function LogoButton({ domain }: { domain: SendingDomain }) {
  const t = useEmailTexts()
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

function LogoForm({ domain, onDone }: LogoFormProps) {
  const t = useEmailTexts()
  const scope = useProjectScope()
  const language = useLanguage()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const { logo_url = '', vmc_url = null } = domain.bimi ?? {}
  const form = useForm({ defaultValues: { logo_url, vmc_url: vmc_url ?? '' } })
  const refresh = [emailKey(scope)]
  const save = useAct({
    run: (logo: Logo) => setLogo(scope, { ...logo, id: domain.id }),
    done: t('logo_saved'),
    refresh,
    onDone,
    onFault(fault) {
      setProblem(fault)
      return true
    },
  })
  const remove = useAct({
    run: () => removeLogo(scope, domain.id),
    done: t('logo_removed'),
    refresh,
    onDone,
  })
  const { errors } = form.formState
  const isAddress = (text: string) => /^https?:\/\/\S+$/.test(text.trim()) || t('logo_fault')
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) =>
        void form.handleSubmit(({ logo_url: logo, vmc_url: certificate }) =>
          save.mutate({ logo_url: logo.trim(), vmc_url: certificate.trim() || null }),
        )(event)
      }
    >
      {problem !== null && (
        <p role="alert" className="text-bad">
          {translateMessage(problem.message, language)}
        </p>
      )}
      <Field label={t('logo_url')} hint={t('logo_hint')} fault={errors.logo_url?.message}>
        <Input
          type="url"
          autoComplete="off"
          placeholder="https://bakery.example/logo.svg"
          {...form.register('logo_url', { validate: isAddress })}
        />
      </Field>
      <Field label={t('vmc_url')} hint={t('vmc_hint')} fault={errors.vmc_url?.message} optional>
        <Input
          type="url"
          autoComplete="off"
          {...form.register('vmc_url', { validate: (text) => text === '' || isAddress(text) })}
        />
      </Field>
      <DialogButtons>
        {domain.bimi !== null && (
          <Button kind="ghost" busy={remove.isPending} onClick={() => remove.mutate(undefined)}>
            {t('logo_remove')}
          </Button>
        )}
        <Button type="submit" kind="primary" busy={save.isPending}>
          {t('logo_save')}
        </Button>
      </DialogButtons>
    </form>
  )
}
