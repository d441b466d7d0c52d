/** The people who agreed to advertising calls: recorded and withdrawn here. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmedAct } from '../../../api/confirmed-act.tsx'
import { OperationForm } from '../../../api/operation-form.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { PhoneField } from '../../../ui/forms/phone-field.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { usePhoneCountry } from '../../company/use-phone-country.ts'
import { addConsent, consentsQuery, removeConsent, type NewConsentBody } from './queries.ts'
import { useOutboundTexts } from './texts.ts'

export function Consents({ onClose }: { onClose(): void }) {
  const t = useOutboundTexts()
  const scope = useProjectScope()
  const query = useQuery(consentsQuery(scope))
  return (
    <Dialog wide onClose={onClose} title={t('consents')} about={t('consents_about')}>
      <QueryState query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">{t('no_consents')}</p>
          ) : (
            <ul className="flex max-h-80 flex-col divide-y divide-line overflow-y-auto">
              {data.map(({ id, phone, source, recorded_at }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
                  <span className="font-medium tabular-nums">{phone}</span>
                  <span className="min-w-0 flex-1 text-sm wrap-anywhere text-muted">{source}</span>
                  <Moment at={recorded_at} />
                  {scope.may('member') && <Withdraw id={id} />}
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
      {scope.may('member') && <NewConsent />}
    </Dialog>
  )
}

function Withdraw({ id }: { id: string }) {
  const t = useOutboundTexts()
  const scope = useProjectScope()
  return (
    <ConfirmedAct
      text={t('withdraw')}
      title={t('withdraw_title')}
      about={t('withdraw_about')}
      run={() => removeConsent(scope, id)}
      done={t('withdrawn')}
      refresh={[consentsQuery(scope).queryKey]}
    />
  )
}

function NewConsent() {
  const t = useOutboundTexts()
  const scope = useProjectScope()
  const country = usePhoneCountry()
  // Another form begins after each consent.
  const [count, setCount] = useState(0)
  return (
    <div className="mt-5 border-t border-line pt-5">
      <OperationForm
        key={count}
        operation="calls.record_consent"
        fields={[
          { path: 'phone', label: t('to') },
          { path: 'source', label: t('source'), hint: t('source_hint') },
        ]}
        control={({ kind, label }, { text, fault, set }) =>
          kind === 'phone' && (
            <PhoneField {...{ label, fault, country }} value={text} onValue={set} />
          )
        }
        action={t('add_consent')}
        done={t('recorded')}
        refresh={[consentsQuery(scope).queryKey]}
        run={(body: NewConsentBody) => addConsent(scope, body)}
        onDone={() => setCount(count + 1)}
      />
    </div>
  )
}
