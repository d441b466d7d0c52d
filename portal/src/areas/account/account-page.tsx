/** The account of the signed-in person: how they sign in, where, and how the portal looks. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import type { ApiProblem } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { meQuery } from '../../api/session.ts'
import { languages, setLanguage, useLanguage } from '../../language/texts.ts'
import { AccountMenu } from '../../shell/account-menu.tsx'
import { Logo } from '../../shell/logo.tsx'
import { setTheme, useTheme, type Theme } from '../../shell/theme.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { DeleteAccount } from './delete-account.tsx'
import { EmailCard } from './email-card.tsx'
import { NameCard } from './name-card.tsx'
import { savePassword } from './queries.ts'
import { Sessions } from './sessions.tsx'
import { Authenticator } from './sign-in/authenticator.tsx'
import { Passkeys } from './sign-in/passkeys.tsx'
import { useAccountTexts } from './texts.ts'

const themes: readonly Theme[] = ['system', 'light', 'dark']

export function AccountPage() {
  const t = useAccountTexts()
  const query = useQuery(meQuery)
  return (
    <div className="min-h-dvh">
      <header className="flex h-14 items-center gap-2.5 border-b border-line px-4 sm:px-8">
        <Logo />
        <span className="text-lg font-semibold tracking-tight">Homeport</span>
        <div className="ml-auto">
          <AccountMenu side="bottom" />
        </div>
      </header>
      <main className="mx-auto max-w-3xl px-4 py-9">
        <Link
          to="/"
          className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted no-underline hover:text-fg"
        >
          <ArrowLeft className="size-4" aria-hidden="true" />
          {t('back')}
        </Link>
        <PageHeader title={t('title')} about={query.data?.person.email} />
        <QueryState query={query}>
          {({ person }) => (
            <div className="flex flex-col gap-6">
              <NameCard name={person.name} />
              <EmailCard key={person.email} email={person.email} />
              <Password email={person.email} isSet={person.has_password} />
              <Passkeys />
              <Authenticator isOn={person.has_totp} />
              <Sessions />
              <Appearance />
              <DeleteAccount email={person.email} />
            </div>
          )}
        </QueryState>
      </main>
    </div>
  )
}

function Password({ email, isSet }: { email: string; isSet: boolean }) {
  const t = useAccountTexts()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const act = useAct({
    run: () => savePassword(text),
    done: t('password_saved'),
    refresh: [['me'], ['sessions']],
    onDone() {
      setText('')
      setProblem(null)
    },
    onFault(fault) {
      setProblem(fault)
      return fault.faults.length > 0
    },
  })
  const fault = problem?.faults[0]
  return (
    <Card title={t('password')} about={t(isSet ? 'password_set' : 'password_none')}>
      <form
        noValidate
        className="flex flex-col items-start gap-4"
        onSubmit={submit(() => {
          if (text !== '') act.mutate(undefined)
        })}
      >
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <div className="w-full max-w-md">
          <Field label={t('password_new')} hint={t('password_hint')} fault={fault?.message}>
            <Input
              type="password"
              autoComplete="new-password"
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </Field>
        </div>
        <Button type="submit" kind="primary" busy={act.isPending} disabled={text === ''}>
          {t('password_save')}
        </Button>
      </form>
    </Card>
  )
}

/** The language and the theme of the portal, which this browser remembers. */
function Appearance() {
  const t = useAccountTexts()
  return (
    <Card title={t('appearance')} about={t('appearance_about')}>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={t('language')}>
          <Select
            value={useLanguage()}
            onChange={setLanguage}
            choices={[
              { value: 'en', text: languages.en },
              { value: 'nl', text: languages.nl },
            ]}
          />
        </Field>
        <Field label={t('theme')}>
          <Select
            value={useTheme()}
            onChange={setTheme}
            choices={themes.map((value) => ({ value, text: t(`theme_${value}`) }))}
          />
        </Field>
      </div>
    </Card>
  )
}
