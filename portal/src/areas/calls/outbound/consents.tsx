/** The people who agreed to advertising calls: recorded and withdrawn here. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { ConfirmedButton } from '../../../ui/actions/confirmed-button.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { PhoneField } from '../../../ui/forms/phone-field.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { usePhoneCountry } from '../../company/use-phone-country.ts'
import { addConsent, consentsQuery, isPhone, removeConsent } from './queries.ts'
import { outboundTexts } from './texts.ts'

export function Consents({ onClose }: { onClose(): void }) {
  const t = useTexts(outboundTexts)
  const scope = useProjectScope()
  const query = useQuery(consentsQuery(scope))
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={t('consents')}
      about={t('consents_about')}
    >
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
  const t = useTexts(outboundTexts)
  const scope = useProjectScope()
  const act = useAct({
    run: () => removeConsent(scope, id),
    done: t('withdrawn'),
    refresh: [consentsQuery(scope).queryKey],
  })
  return (
    <ConfirmedButton
      text={t('withdraw')}
      title={t('withdraw_title')}
      about={t('withdraw_about')}
      busy={act.isPending}
      onConfirm={() => act.mutate(undefined)}
    />
  )
}

const none = { phone: '', source: '' }

function NewConsent() {
  const t = useTexts(outboundTexts)
  const scope = useProjectScope()
  const country = usePhoneCountry()
  const [draft, setDraft] = useState(none)
  const [isTried, setIsTried] = useState(false)
  const act = useAct({
    run: () => addConsent(scope, draft),
    done: t('recorded'),
    refresh: [consentsQuery(scope).queryKey],
    onDone() {
      setDraft(none)
      setIsTried(false)
    },
  })
  return (
    <form
      noValidate
      className="mt-5 flex flex-col gap-4 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        if (isPhone(draft.phone) && draft.source.trim().length >= 3) act.mutate(undefined)
      }}
    >
      <PhoneField
        label={t('to')}
        value={draft.phone}
        onValue={(phone) => setDraft({ ...draft, phone })}
        country={country}
        fault={isTried && !isPhone(draft.phone) ? t('to_fault') : undefined}
      />
      <Field
        label={t('source')}
        hint={t('source_hint')}
        fault={isTried && draft.source.trim().length < 3 ? t('source_fault') : undefined}
      >
        <Input
          autoComplete="off"
          maxLength={200}
          value={draft.source}
          onChange={({ target }) => setDraft({ ...draft, source: target.value })}
        />
      </Field>
      <Button type="submit" className="self-start" busy={act.isPending}>
        {t('add_consent')}
      </Button>
    </form>
  )
}
