/** The dialog of a call by the assistant: its first words and its price are shown while it is written. */
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { translateMessage } from '../../../language/server-texts/translate.ts'
import { useLanguage, useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { ChoiceCards } from '../../../ui/forms/choice-cards.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input, Textarea } from '../../../ui/forms/input.tsx'
import { PhoneField } from '../../../ui/forms/phone-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { usePhoneCountry } from '../../company/use-phone-country.ts'
import { numbersQuery } from '../../home/queries.ts'
import { callsKey } from '../queries.ts'
import { isPhone, placeCall, previewQuery, type CallDraft } from './queries.ts'
import { outboundTexts } from './texts.ts'

const MINUTES = 5
const MINUTES_MAX = 30

export interface CallDialogProps {
  onClose(): void
  /** Called with the id of the new call. */
  onPlaced(id: string): void
}

export function CallDialog({ onClose, onPlaced }: CallDialogProps) {
  const t = useTexts(outboundTexts)
  const { mode } = useProjectScope()
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={t('title')}
      about={t(mode === 'test' ? 'about_test' : 'about')}
    >
      <CallForm onClose={onClose} onPlaced={onPlaced} />
    </Dialog>
  )
}

function CallForm({ onClose, onPlaced }: CallDialogProps) {
  const t = useTexts(outboundTexts)
  const scope = useProjectScope()
  const [draft, setDraft] = useState<CallDraft>({
    to: '',
    purpose: 'transactional',
    instructions: '',
    opening: '',
    from_number_id: '',
    minutes: MINUTES,
  })
  // The same key for every attempt at this call, so that a retry never calls twice.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [isTried, setIsTried] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const act = useAct({
    run: () => placeCall(scope, { draft, key }),
    done: t('placed'),
    refresh: [callsKey(scope)],
    onDone: ({ id }) => onPlaced(id),
    onFault(found) {
      setProblem(found)
      return true
    },
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        setProblem(null)
        if (isPhone(draft.to) && draft.instructions.trim() !== '') act.mutate(undefined)
      }}
    >
      <CallFields
        draft={draft}
        isTried={isTried}
        onChange={(part) => {
          setDraft({ ...draft, ...part })
          setKey(crypto.randomUUID())
        }}
      />
      <Preview draft={draft} />
      {problem !== null && <ErrorState {...problem} user_message={problem.user_message} />}
      <DialogButtons>
        <Button kind="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t('call')}
        </Button>
      </DialogButtons>
    </form>
  )
}

interface CallFieldsProps {
  draft: CallDraft
  isTried: boolean
  onChange(part: Partial<CallDraft>): void
}

function CallFields({ draft, isTried, onChange }: CallFieldsProps) {
  const t = useTexts(outboundTexts)
  const { mode } = useProjectScope()
  const country = usePhoneCountry()
  const fault = (isFilled: boolean, key: 'to_fault' | 'instructions_fault') =>
    isTried && !isFilled ? t(key) : undefined
  return (
    <>
      <PhoneField
        label={t('to')}
        {...(mode === 'test' && { hint: t('to_hint_test') })}
        value={draft.to}
        onValue={(to) => onChange({ to })}
        country={country}
        fault={fault(isPhone(draft.to), 'to_fault')}
      />
      <ChoiceCards
        legend={t('purpose')}
        value={draft.purpose}
        onChange={(purpose) => onChange({ purpose })}
        choices={(['transactional', 'marketing'] as const).map((value) => ({
          value,
          title: t(value),
          about: t(`${value}_about`),
        }))}
      />
      <Field
        label={t('instructions')}
        hint={t('instructions_hint')}
        fault={fault(draft.instructions.trim() !== '', 'instructions_fault')}
      >
        <Textarea
          rows={3}
          maxLength={2_000}
          value={draft.instructions}
          onChange={({ target }) => onChange({ instructions: target.value })}
        />
      </Field>
      <Field label={t('opening')} hint={t('opening_hint')} optional>
        <Textarea
          rows={2}
          maxLength={500}
          value={draft.opening}
          onChange={({ target }) => onChange({ opening: target.value })}
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Sender draft={draft} onChange={onChange} />
        <Field label={t('minutes')}>
          <Input
            type="number"
            min={1}
            max={MINUTES_MAX}
            className="max-w-32 tabular-nums"
            value={draft.minutes}
            onChange={({ target }) =>
              onChange({
                minutes: Math.min(MINUTES_MAX, Math.max(1, Math.round(Number(target.value)))),
              })
            }
          />
        </Field>
      </div>
    </>
  )
}

function Sender({ draft, onChange }: Pick<CallFieldsProps, 'draft' | 'onChange'>) {
  const t = useTexts(outboundTexts)
  const scope = useProjectScope()
  const { data: numbers = [] } = useQuery(numbersQuery(scope))
  const usable = numbers.filter(
    ({ status, test }) => status === 'active' && (scope.mode === 'test' || !test),
  )
  return (
    <Field label={t('from')}>
      <Select<string>
        value={draft.from_number_id}
        onChange={(from_number_id) => onChange({ from_number_id })}
        choices={[
          { value: '', text: t('any_number') },
          ...usable.map(({ id, e164 }) => ({ value: id, text: e164 })),
        ]}
      />
    </Field>
  )
}

function Preview({ draft }: { draft: CallDraft }) {
  const t = useTexts(outboundTexts)
  const format = useFormat()
  const language = useLanguage()
  const { data } = useQuery(previewQuery(useProjectScope(), useDeferredValue(draft)))
  if (data === undefined) return null
  const { first_words, follows_task, price_per_minute_eur, cost_max_eur, problem } = data
  return (
    <div aria-live="polite" className="flex flex-col gap-3">
      <blockquote className="rounded-xl border border-line bg-accent-soft p-4">
        <p className="text-sm font-medium">{t('first_words')}</p>
        <p className="mt-1 wrap-anywhere">{first_words ?? t('not_set_up')}</p>
      </blockquote>
      {!follows_task && <p className="text-sm text-muted">{t('no_model')}</p>}
      <p className="text-sm font-medium">
        {cost_max_eur === 0
          ? t('free')
          : t('price', {
              price: format.cost(price_per_minute_eur),
              most: format.euro(cost_max_eur),
            })}
      </p>
      {problem !== null && (
        <p className="text-sm text-bad">{translateMessage(problem.detail, language)}</p>
      )}
    </div>
  )
}
