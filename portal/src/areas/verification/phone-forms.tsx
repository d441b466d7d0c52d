/** Verifies a phone number: asks for a code, then takes it. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiProblem } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { meQuery } from '../../api/session.ts'
import { useLanguage } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { CodeInput } from '../../ui/forms/input.tsx'
import { PhoneField } from '../../ui/forms/phone-field.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { usePhoneCountry } from '../company/use-phone-country.ts'
import { confirmCode, sendCode, verificationKey } from './queries.ts'
import { useVerificationTexts } from './texts.ts'

interface Sent {
  id: string
  phone: string
  channel: 'sms' | 'call'
}

export function PhoneForms({ onVerified }: { onVerified?: () => void }) {
  const [sent, setSent] = useState<Sent | null>(null)
  if (sent === null) return <NumberForm onSent={setSent} />
  return <CodeForm sent={sent} onBack={() => setSent(null)} {...(onVerified && { onVerified })} />
}

function faultOf(problem: ApiProblem): string {
  return [problem.user_message, problem.status === 409 ? problem.next_step : null]
    .filter((text) => text !== null)
    .join(' ')
}

function NumberForm({ onSent }: { onSent(sent: Sent): void }) {
  const t = useVerificationTexts()
  const scope = useProjectScope()
  const language = useLanguage()
  const country = usePhoneCountry()
  const [phone, setPhone] = useState('')
  const [fault, setFault] = useState<string>()
  const act = useAct({
    run: (channel: 'sms' | 'call') => sendCode(scope, { phone, channel, language }),
    onDone: onSent,
    onFault(problem) {
      setFault(faultOf(problem))
      return true
    },
  })
  const ask = (channel: 'sms' | 'call') => {
    setFault(undefined)
    act.mutate(channel)
  }
  return (
    <form noValidate className="flex max-w-md flex-col gap-3" onSubmit={submit(() => ask('sms'))}>
      <PhoneField
        label={t('phone_label')}
        value={phone}
        onValue={setPhone}
        country={country}
        fault={fault}
        autoComplete="tel"
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" busy={act.isPending} disabled={phone.trim() === ''}>
          {t('by_sms')}
        </Button>
        <Button busy={act.isPending} disabled={phone.trim() === ''} onClick={() => ask('call')}>
          {t('by_call')}
        </Button>
      </div>
    </form>
  )
}

interface CodeFormProps {
  sent: Sent
  onBack(): void
  onVerified?: () => void
}

function CodeForm({ sent, onBack, onVerified }: CodeFormProps) {
  const t = useVerificationTexts()
  const scope = useProjectScope()
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string>()
  const act = useAct({
    run: () => confirmCode(scope, { id: sent.id, code }),
    done: t('verified'),
    refresh: [verificationKey(scope), ['rails', scope.project_id]],
    onDone: () => onVerified?.(),
    onFault(problem) {
      setFault(faultOf(problem))
      return true
    },
  })
  return (
    <form
      noValidate
      className="flex max-w-md flex-col gap-3"
      onSubmit={submit(() => {
        setFault(undefined)
        act.mutate(undefined)
      })}
    >
      <p role="status">{t(`code_sent_${sent.channel}`, { phone: sent.phone })}</p>
      <SimulatedPhone />
      <Field label={t('code_label')} fault={fault}>
        <CodeInput autoFocus value={code} onChange={({ target }) => setCode(target.value)} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" busy={act.isPending} disabled={code.trim() === ''}>
          {t('confirm')}
        </Button>
        <Button kind="ghost" onClick={onBack}>
          {t('other_number')}
        </Button>
      </div>
    </form>
  )
}

/** Links to the codes on a server that sends none to a real phone. */
function SimulatedPhone() {
  const t = useVerificationTexts()
  const { data: me } = useQuery(meQuery)
  const url = me?.simulated.phone_url ?? null
  if (url === null) return null
  return (
    <p className="text-sm text-muted">
      {t('phone_simulated')}{' '}
      <a href={url} target="_blank" rel="noreferrer" className="text-accent underline">
        {t('open_phone')}
      </a>
    </p>
  )
}
