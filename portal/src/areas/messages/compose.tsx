/** The dialog of a new message: segments and cost are shown while the person types. */
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { ApiProblem } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { translateMessage } from '../../language/server-texts/translate.ts'
import { useLanguage } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input, Textarea } from '../../ui/forms/input.tsx'
import { PhoneField } from '../../ui/forms/phone-field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { usePhoneCountry } from '../company/use-phone-country.ts'
import {
  isPhone,
  messagesKey,
  previewQuery,
  sendMessage,
  type Draft,
  type MessagesOverview,
} from './queries.ts'
import { useMessageTexts } from './texts.ts'

export interface ComposeProps {
  to: string
  overview: MessagesOverview
  onClose(): void
}

export function Compose({ to, overview, onClose }: ComposeProps) {
  const t = useMessageTexts()
  return (
    <Dialog
      onClose={onClose}
      title={t('compose')}
      about={t(overview.test ? 'compose_test' : 'compose_about')}
    >
      <ComposeForm to={to} overview={overview} onClose={onClose} />
    </Dialog>
  )
}

function ComposeForm({ to, overview, onClose }: ComposeProps) {
  const t = useMessageTexts()
  const [draft, setDraft] = useState<Draft>({ to, text: '', from: overview.senders[0] ?? '' })
  // The same key for every attempt at this message, so that a retry never sends a second one.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [isTried, setIsTried] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const act = useSending({ onDone: onClose, onFault: setProblem })
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={submit(() => {
        setIsTried(true)
        setProblem(null)
        if (isPhone(draft.to) && draft.text.trim() !== '') act.mutate({ draft, key })
      })}
    >
      <ComposeFields
        draft={draft}
        overview={overview}
        isTried={isTried}
        onChange={(part) => {
          setDraft({ ...draft, ...part })
          setKey(crypto.randomUUID())
        }}
      />
      <Counter draft={draft} />
      {problem !== null && <ErrorState {...problem} user_message={problem.user_message} />}
      <DialogButtons>
        <Button kind="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          type="submit"
          kind="primary"
          busy={act.isPending}
          disabled={draft.text.trim() === ''}
        >
          {t('send')}
        </Button>
      </DialogButtons>
    </form>
  )
}

interface Sending {
  onDone(): void
  onFault(problem: ApiProblem): void
}

function useSending({ onDone, onFault }: Sending) {
  const t = useMessageTexts()
  const scope = useProjectScope()
  return useAct({
    run: (asked: { draft: Draft; key: string }) => sendMessage(scope, asked),
    done: t('sent_done'),
    refresh: [messagesKey(scope)],
    onDone,
    onFault(problem) {
      onFault(problem)
      return true
    },
  })
}

interface ComposeFieldsProps {
  draft: Draft
  overview: MessagesOverview
  isTried: boolean
  onChange(part: Partial<Draft>): void
}

function ComposeFields({ draft, overview, isTried, onChange }: ComposeFieldsProps) {
  const t = useMessageTexts()
  const country = usePhoneCountry()
  return (
    <>
      <PhoneField
        label={t('to')}
        hint={t(overview.test ? 'to_hint_test' : 'to_hint')}
        value={draft.to}
        onValue={(to) => onChange({ to })}
        country={country}
        fault={isTried && !isPhone(draft.to) ? t('to_fault') : undefined}
      />
      <Sender draft={draft} senders={overview.senders} onChange={(from) => onChange({ from })} />
      <Field label={t('text')}>
        <Textarea
          rows={5}
          maxLength={5_000}
          value={draft.text}
          onChange={({ target }) => onChange({ text: target.value })}
        />
      </Field>
    </>
  )
}

interface SenderProps {
  draft: Draft
  senders: readonly string[]
  onChange(from: string): void
}

const NAME = 'name'

/** A number of the project, or a name. */
function Sender({ draft, senders, onChange }: SenderProps) {
  const t = useMessageTexts()
  const is_name = !draft.from.startsWith('+')
  return (
    <>
      <Field label={t('from')}>
        <Select<string>
          value={is_name ? NAME : draft.from}
          onChange={(value) => onChange(value === NAME ? '' : value)}
          choices={[
            ...senders.map((value) => ({ value, text: value })),
            { value: NAME, text: t('name_sender') },
          ]}
        />
      </Field>
      {is_name && (
        <Field label={t('name')} hint={t('name_hint')}>
          <Input
            autoComplete="off"
            maxLength={11}
            value={draft.from}
            onChange={({ target }) => onChange(target.value)}
          />
        </Field>
      )}
    </>
  )
}

function Counter({ draft }: { draft: Draft }) {
  const t = useMessageTexts()
  const format = useFormat()
  const language = useLanguage()
  const { data } = useQuery(previewQuery(useProjectScope(), useDeferredValue(draft)))
  if (data === undefined) return null
  const { segments, segments_max: max, characters_left: left, cost_eur, encoding, problem } = data
  const is_too_long = segments > max
  return (
    <div aria-live="polite" className="-mt-2 flex flex-col gap-1 text-sm text-muted">
      <p className="flex flex-wrap justify-between gap-x-4 tabular-nums">
        <span className={is_too_long ? 'text-bad' : ''}>
          {segments === 0 ? t('no_segments', { max }) : t('segments', { segments, max, left })}
        </span>
        {segments > 0 && (
          <span className="font-medium text-ink">
            {cost_eur === 0 ? t('free') : t('cost', { cost: format.cost(cost_eur) })}
          </span>
        )}
      </p>
      {segments > 0 && encoding === 'ucs2' && <p>{t('unicode')}</p>}
      {problem !== null && <p className="text-bad">{translateMessage(problem.detail, language)}</p>}
    </div>
  )
}
