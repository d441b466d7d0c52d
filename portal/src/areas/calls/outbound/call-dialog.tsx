/** The dialog of a call by the assistant: its first words and its price are shown while it is written. */
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { OperationDialog } from '../../../api/operation-form.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { translateMessage } from '../../../language/server-texts/translate.ts'
import { useLanguage } from '../../../language/texts.ts'
import { PhoneField } from '../../../ui/forms/phone-field.tsx'
import { usePhoneCountry } from '../../company/use-phone-country.ts'
import { numbersQuery } from '../../home/queries.ts'
import { callsKey } from '../queries.ts'
import { placeCall, previewQuery, type NewCall } from './queries.ts'
import { useOutboundTexts } from './texts.ts'

const purposes = ['transactional', 'marketing'] as const

export interface CallDialogProps {
  onClose(): void
  /** Called with the id of the new call. */
  onPlaced(id: string): void
}

export function CallDialog({ onClose, onPlaced }: CallDialogProps) {
  const t = useOutboundTexts()
  const scope = useProjectScope()
  const country = usePhoneCountry()
  const isTest = scope.mode === 'test'
  const { data: numbers = [] } = useQuery(numbersQuery(scope))
  const usable = numbers.filter(({ status, test }) => status === 'active' && (isTest || !test))
  return (
    <OperationDialog
      wide
      operation="calls.place"
      title={t('title')}
      about={t(isTest ? 'about_test' : 'about')}
      fields={[
        { path: 'to', label: t('to'), ...(isTest && { hint: t('to_hint_test') }) },
        {
          path: 'purpose',
          label: t('purpose'),
          initial: 'transactional',
          choices: purposes.map((value) => ({
            value,
            text: t(value),
            about: t(`${value}_about`),
          })),
        },
        { path: 'instructions', label: t('instructions'), hint: t('instructions_hint') },
        { path: 'opening', label: t('opening'), hint: t('opening_hint') },
        {
          path: 'from_number_id',
          label: t('from'),
          choices: [
            { value: '', text: t('any_number') },
            ...usable.map(({ id, e164 }) => ({ value: id, text: e164 })),
          ],
        },
        { path: 'max_duration_sec', label: t('minutes'), initial: '5', scale: 60, required: true },
      ]}
      control={({ kind, label, hint }, { text, fault, set }) =>
        kind === 'phone' && (
          <PhoneField {...{ label, hint, fault, country }} value={text} onValue={set} />
        )
      }
      action={t('call')}
      done={t('placed')}
      refresh={[callsKey(scope)]}
      run={(body: NewCall, key) => placeCall(scope, body, key)}
      onClose={onClose}
      onDone={({ id }) => onPlaced(id)}
    >
      {(body) => <Preview draft={body} />}
    </OperationDialog>
  )
}

function Preview({ draft }: { draft: Partial<NewCall> }) {
  const t = useOutboundTexts()
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
