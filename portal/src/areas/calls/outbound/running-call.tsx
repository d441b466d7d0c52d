/** A call that is going on: its state, ending it, and taking it over with a phone of one's own. */
import { PhoneForwarded, PhoneOff } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { PhoneField } from '../../../ui/forms/phone-field.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { usePhoneCountry } from '../../company/use-phone-country.ts'
import { callsKey, type Call } from '../queries.ts'
import { hangUpCall, isPhone, transferCall } from './queries.ts'
import { useOutboundTexts } from './texts.ts'

const runningStatuses = ['queued', 'ringing', 'in_progress'] as const
type Running = (typeof runningStatuses)[number]

export function isRunning(status: Call['status']): status is Running {
  return runningStatuses.some((one) => one === status)
}

/** A simulated call ends by itself. */
export function RunningCall({ id, status, test }: { id: string; status: Running; test: boolean }) {
  const t = useOutboundTexts()
  const scope = useProjectScope()
  const [isTaking, setIsTaking] = useState(false)
  const hangUp = useAct({
    run: () => hangUpCall(scope, id),
    done: t('hung_up'),
    refresh: [callsKey(scope)],
  })
  return (
    <section className="flex flex-col gap-4 rounded-xl border border-line bg-good-soft p-4">
      <p role="status">
        <Badge tone="good" dot>
          {t(status)}
        </Badge>
      </p>
      {scope.may('member') && !test && (
        <div className="flex flex-wrap gap-2">
          <Button kind="danger" busy={hangUp.isPending} onClick={() => hangUp.mutate(undefined)}>
            <PhoneOff aria-hidden="true" />
            {t('hang_up')}
          </Button>
          {status === 'in_progress' && !isTaking && (
            <Button onClick={() => setIsTaking(true)}>
              <PhoneForwarded aria-hidden="true" />
              {t('take_over')}
            </Button>
          )}
        </div>
      )}
      {isTaking && <TakeOver id={id} onDone={() => setIsTaking(false)} />}
    </section>
  )
}

function TakeOver({ id, onDone }: { id: string; onDone(): void }) {
  const t = useOutboundTexts()
  const scope = useProjectScope()
  const country = usePhoneCountry()
  const [to, setTo] = useState('')
  const [isTried, setIsTried] = useState(false)
  const act = useAct({
    run: () => transferCall(scope, id, to),
    done: t('taken_over'),
    refresh: [callsKey(scope)],
    onDone,
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={submit(() => {
        setIsTried(true)
        if (isPhone(to)) act.mutate(undefined)
      })}
    >
      <PhoneField
        label={t('your_phone')}
        hint={t('take_over_about')}
        value={to}
        onValue={setTo}
        country={country}
        autoComplete="tel"
        fault={isTried && !isPhone(to) ? t('to_fault') : undefined}
      />
      <Button type="submit" kind="primary" className="self-start" busy={act.isPending}>
        {t('put_through')}
      </Button>
    </form>
  )
}
