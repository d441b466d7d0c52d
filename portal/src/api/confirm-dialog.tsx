/** The dialog that confirms the person's identity, with the ways that the person has. */
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Mail } from 'lucide-react'
import { useState } from 'react'
import { defineTexts } from '../language/texts.ts'
import { Button } from '../ui/actions/button.tsx'
import { Field } from '../ui/forms/field.tsx'
import { CodeInput, Input } from '../ui/forms/input.tsx'
import { submit } from '../ui/forms/submit.ts'
import { Dialog } from '../ui/overlays/dialog.tsx'
import {
  canUsePasskey,
  confirmByCode,
  confirmByPasskey,
  confirmByPassword,
  confirmBySecond,
  mailCode,
  waysQuery,
  type Outcome,
  type Ways,
} from './confirmation.ts'
import { QueryState } from './query-state.tsx'
import { meQuery } from './session.ts'

const useConfirmTexts = defineTexts('confirm', {
  en: {
    title: 'Confirm your identity',
    about:
      'Keys, money and going live need a recent confirmation. It holds for 15 minutes. What you filled in stays.',
    use_passkey: 'Use a passkey',
    password: 'Password',
    action: 'Confirm',
    mail_code: 'Mail me a code',
    another_code: 'Mail another code',
    code: 'Code from the mail',
    code_sent: 'We mailed a code to {{email}}. It works for ten minutes.',
    no_mail: 'This server sends no real mail.',
    open_mail: 'Show the mail',
    second: 'Code from your authenticator app',
    second_hint: 'Without your phone, enter one of your recovery codes.',
    no_way:
      'This server sends no mail, and you have no password or passkey. Ask its operator for a sign-in link.',
    wrong_password: 'The password is wrong.',
    wrong_code: 'The code is wrong or has expired. Ask for another one if it fails again.',
    wrong_passkey: 'This is not one of your passkeys, or the page was open too long. Try again.',
    cancelled: 'The passkey was not used. Try again, or choose another way.',
    failed: 'This did not work, or was tried too often. Wait a few minutes, then try again.',
  },
  nl: {
    title: 'Bevestig uw identiteit',
    about:
      'Sleutels, geld en live gaan vragen een recente bevestiging. Die geldt 15 minuten. Wat u hebt ingevuld blijft staan.',
    use_passkey: 'Passkey gebruiken',
    password: 'Wachtwoord',
    action: 'Bevestigen',
    mail_code: 'Mail mij een code',
    another_code: 'Mail een nieuwe code',
    code: 'Code uit de mail',
    code_sent: 'Er is een code naar {{email}} gemaild. Die werkt tien minuten.',
    no_mail: 'Deze server verstuurt geen echte mail.',
    open_mail: 'Mail tonen',
    second: 'Code uit uw authenticator-app',
    second_hint: 'Hebt u uw telefoon niet bij u, vul dan een van uw herstelcodes in.',
    no_way:
      'Deze server verstuurt geen mail, en u hebt geen wachtwoord of passkey. Vraag de beheerder om een aanmeldlink.',
    wrong_password: 'Het wachtwoord klopt niet.',
    wrong_code: 'De code klopt niet of is verlopen. Vraag een nieuwe als het weer niet lukt.',
    wrong_passkey:
      'Dit is niet een van uw passkeys, of de pagina stond te lang open. Probeer het opnieuw.',
    cancelled: 'De passkey is niet gebruikt. Probeer het opnieuw, of kies een andere manier.',
    failed:
      'Dit lukte niet, of is te vaak geprobeerd. Wacht enkele minuten en probeer het opnieuw.',
  },
})

type Step = 'ways' | 'code' | 'second'
type Fault = 'wrong_password' | 'wrong_code' | 'wrong_passkey' | 'cancelled' | 'failed'

export interface ConfirmDialogProps {
  onEnd(confirmed: boolean): void
}

export function ConfirmDialog({ onEnd }: ConfirmDialogProps) {
  const t = useConfirmTexts()
  const query = useQuery(waysQuery)
  return (
    <Dialog onClose={() => onEnd(false)} title={t('title')} about={t('about')}>
      <QueryState query={query}>
        {(ways) => <Steps ways={ways} onConfirmed={() => onEnd(true)} />}
      </QueryState>
    </Dialog>
  )
}

interface StepsProps {
  ways: Ways
  onConfirmed(): void
}

function Steps({ ways, onConfirmed }: StepsProps) {
  const [step, setStep] = useState<Step>('ways')
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState(false)
  /** Runs a step; `wrong` explains a refused proof. */
  const run = async (wrong: Fault, work: () => Promise<Outcome | Step>) => {
    setBusy(true)
    setFault(null)
    try {
      const outcome = await work()
      if (outcome === 'confirmed') onConfirmed()
      else if (outcome === 'refused') setFault(wrong)
      else setStep(outcome)
    } catch (error) {
      setFault(faultOf(error))
    }
    setBusy(false)
  }
  const sendCode = () =>
    void run('failed', async () => {
      await mailCode()
      return 'code'
    })
  const parts = { ways, fault, busy, run, sendCode }
  if (step === 'code') return <MailedCode {...parts} />
  if (step === 'second') return <Second {...parts} />
  return <Choice {...parts} />
}

/** The browser reports a passkey that was not used as NotAllowedError. */
function faultOf(error: unknown): Fault {
  return error instanceof Error && error.name === 'NotAllowedError' ? 'cancelled' : 'failed'
}

interface PartProps {
  ways: Ways
  fault: Fault | null
  busy: boolean
  run(wrong: Fault, work: () => Promise<Outcome | Step>): Promise<void>
  sendCode(): void
}

function Choice({ ways, fault, busy, run, sendCode }: PartProps) {
  const t = useConfirmTexts()
  const [password, setPassword] = useState('')
  const passkey = canUsePasskey(ways.passkey) ? ways.passkey : null
  if (!ways.password && !ways.mail_code && passkey === null) return <p>{t('no_way')}</p>
  return (
    <div className="flex flex-col gap-4">
      {passkey !== null && (
        <Button
          kind="primary"
          busy={busy}
          onClick={() => void run('wrong_passkey', () => confirmByPasskey(passkey))}
        >
          <KeyRound aria-hidden="true" />
          {t('use_passkey')}
        </Button>
      )}
      {ways.password && (
        <form
          className="flex flex-col gap-3"
          onSubmit={submit(() => {
            void run('wrong_password', () => confirmByPassword(password))
          })}
        >
          <Field
            label={t('password')}
            fault={fault === 'wrong_password' ? t('wrong_password') : undefined}
          >
            <Input
              type="password"
              autoComplete="current-password"
              autoFocus
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          </Field>
          <Button
            type="submit"
            kind={passkey === null ? 'primary' : 'secondary'}
            busy={busy}
            disabled={password === ''}
          >
            {t('action')}
          </Button>
        </form>
      )}
      {ways.mail_code && (
        <Button
          kind={ways.password || passkey !== null ? 'ghost' : 'primary'}
          busy={busy}
          onClick={sendCode}
        >
          <Mail aria-hidden="true" />
          {t('mail_code')}
        </Button>
      )}
      {fault !== null && fault !== 'wrong_password' && (
        <p role="alert" className="text-sm text-bad">
          {t(fault)}
        </p>
      )}
    </div>
  )
}

function MailedCode({ ways, fault, busy, run, sendCode }: PartProps) {
  const t = useConfirmTexts()
  const { data: me } = useQuery(meQuery)
  return (
    <div className="flex flex-col gap-4">
      <p role="status">
        {t('code_sent', { email: me?.person.email ?? '' })}
        {ways.mail_url !== null && (
          <span className="mt-1 block text-sm text-muted">
            {t('no_mail')}{' '}
            <a
              href={ways.mail_url}
              target="_blank"
              rel="noreferrer"
              className="text-accent underline"
            >
              {t('open_mail')}
            </a>
          </span>
        )}
      </p>
      <CodeForm
        label={t('code')}
        fault={fault}
        busy={busy}
        onSend={(code) => void run('wrong_code', () => confirmByCode(code))}
      />
      <Button kind="ghost" busy={busy} onClick={sendCode}>
        {t('another_code')}
      </Button>
    </div>
  )
}

function Second({ fault, busy, run }: PartProps) {
  const t = useConfirmTexts()
  return (
    <CodeForm
      label={t('second')}
      hint={t('second_hint')}
      fault={fault}
      busy={busy}
      onSend={(code) => void run('wrong_code', () => confirmBySecond(code))}
    />
  )
}

interface CodeFormProps {
  label: string
  hint?: string
  fault: Fault | null
  busy: boolean
  onSend(code: string): void
}

function CodeForm({ label, hint, fault, busy, onSend }: CodeFormProps) {
  const t = useConfirmTexts()
  const [code, setCode] = useState('')
  return (
    <form className="flex flex-col gap-3" onSubmit={submit(() => onSend(code.trim()))}>
      <Field label={label} hint={hint} fault={fault === null ? undefined : t(fault)}>
        <CodeInput autoFocus value={code} onChange={({ target }) => setCode(target.value)} />
      </Field>
      <Button type="submit" kind="primary" busy={busy} disabled={code.trim() === ''}>
        {t('action')}
      </Button>
    </form>
  )
}
