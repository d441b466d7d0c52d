/** The email address of the account. A code that is mailed to a new one proves it. */
import { useState, type ReactNode } from 'react'
import { useFormAct } from '../../api/form-act.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { CodeInput, Input } from '../../ui/forms/input.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { askEmail, changeEmail, type EmailChange } from './queries.ts'
import { useOwnTexts } from './own-texts.ts'

export function EmailCard({ email }: { email: string }) {
  const t = useOwnTexts()
  const [asked, setAsked] = useState<EmailChange | null>(null)
  return (
    <Card title={t('email')} about={t('email_about', { email })}>
      {asked === null ? (
        <AskForm onAsked={setAsked} />
      ) : (
        <CodeForm asked={asked} onClose={() => setAsked(null)} />
      )}
    </Card>
  )
}

function AskForm({ onAsked }: { onAsked(asked: EmailChange): void }) {
  const t = useOwnTexts()
  const [email, setEmail] = useState('')
  const { act, fault } = useFormAct({ run: () => askEmail(email), onDone: onAsked })
  return (
    <SmallForm value={email} onSubmit={() => act.mutate(undefined)}>
      <div className="w-full max-w-md">
        <Field label={t('email_new')} hint={t('email_hint')} fault={fault}>
          <Input
            type="email"
            autoComplete="email"
            maxLength={254}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </Field>
      </div>
      <Button type="submit" busy={act.isPending} disabled={email.trim() === ''}>
        {t('email_ask')}
      </Button>
    </SmallForm>
  )
}

function CodeForm({ asked, onClose }: { asked: EmailChange; onClose(): void }) {
  const t = useOwnTexts()
  const [code, setCode] = useState('')
  const { act, fault } = useFormAct({
    run: () => changeEmail({ id: asked.id, email: asked.email, code }),
    done: t('email_changed'),
    refresh: [['me'], ['sessions']],
    onDone: onClose,
  })
  return (
    <SmallForm value={code} onSubmit={() => act.mutate(undefined)}>
      <div className="w-full max-w-md">
        <Field label={t('email_code')} hint={t('email_sent', { email: asked.email })} fault={fault}>
          <CodeInput
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the code is the next thing to enter
            autoFocus
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </Field>
      </div>
      <div className="flex gap-2">
        <Button type="submit" kind="primary" busy={act.isPending} disabled={code.trim() === ''}>
          {t('email_change')}
        </Button>
        <Button onClick={onClose}>{t('cancel')}</Button>
      </div>
    </SmallForm>
  )
}

interface SmallFormProps {
  /** The entered text; the form is not submitted without one. */
  value: string
  onSubmit(): void
  children: ReactNode
}

function SmallForm({ value, onSubmit, children }: SmallFormProps) {
  return (
    <form
      noValidate
      className="flex flex-col items-start gap-4"
      onSubmit={submit(() => {
        if (value.trim() !== '') onSubmit()
      })}
    >
      {children}
    </form>
  )
}
