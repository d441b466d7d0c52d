/** The fields of a token: name, addresses, limits and verification; and the look of the widget. */
import { CircleCheck, CircleX } from 'lucide-react'
import type { ApiProblem } from '../../api/client.ts'
import { amountOf } from '../../language/numbers.ts'
import { ChoiceCards } from '../../ui/forms/choice-cards.tsx'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input, Textarea } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { ORIGINS_MAX, readOrigins } from './origins.ts'
import { useTokenTexts } from './texts.ts'
import { DEFAULT_COLOUR } from './theme-preview.tsx'
import {
  CONVERSATIONS_MAX,
  isColour,
  numberOf,
  SPENDING_MAX,
  type TokenDraft,
} from './token-draft.ts'

const NAME_MAX = 100
const GREETING_MAX = 1_000
const challenges = ['altcha', 'turnstile', 'hcaptcha'] as const
const languages = { nl: 'Nederlands', en: 'English', de: 'Deutsch', fr: 'Français' } as const

export type DraftFaults = Partial<
  Record<'origins' | 'conversations' | 'spending' | 'colour', 'none' | 'many' | 'wrong'>
>

export interface TokenFieldsProps {
  draft: TokenDraft
  onChange(part: Partial<TokenDraft>): void
  /** null before the person first tries to save. */
  faults: DraftFaults | null
  problem: ApiProblem | null
}

export function faultsOf({ origins, conversations, spending, colour }: TokenDraft): DraftFaults {
  const read = readOrigins(origins)
  return {
    ...(read.length === 0 && { origins: 'none' as const }),
    ...(read.length > ORIGINS_MAX && { origins: 'many' as const }),
    ...(read.some(({ fault }) => fault !== null) && { origins: 'wrong' as const }),
    ...(Number.isNaN(numberOf(conversations, CONVERSATIONS_MAX)) && {
      conversations: 'wrong' as const,
    }),
    ...(!(amountOf(spending) <= SPENDING_MAX) && { spending: 'wrong' as const }),
    ...(colour !== '' && !isColour(colour) && { colour: 'wrong' as const }),
  }
}

export function BasicFields({ draft, onChange, faults, problem }: TokenFieldsProps) {
  const t = useTokenTexts()
  const said = (path: string) => problem?.faults.find((fault) => fault.path === path)?.message
  return (
    <>
      <Field label={t('name')} optional fault={said('/name')}>
        <Input
          autoComplete="off"
          maxLength={NAME_MAX}
          placeholder={t('name_example')}
          value={draft.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </Field>
      <OriginsField draft={draft} onChange={onChange} faults={faults} problem={problem} />
      <div className="grid grid-cols-2 gap-4">
        <Field
          label={t('conversations_max')}
          fault={faults?.conversations && t('fault_number', { max: CONVERSATIONS_MAX })}
        >
          <Input
            inputMode="numeric"
            value={draft.conversations}
            onChange={({ target }) => onChange({ conversations: target.value })}
          />
        </Field>
        <AmountField
          label={t('spending_max')}
          hint={t('spending_hint')}
          fault={faults?.spending && t('fault_number', { max: SPENDING_MAX })}
          value={draft.spending}
          onValue={(spending) => onChange({ spending })}
        />
      </div>
      <Field label={t('verification')} fault={said('/challenge')}>
        <Select
          value={draft.challenge}
          onChange={(challenge) => onChange({ challenge })}
          choices={challenges.map((value) => ({
            value,
            text: t(value),
            hint: t(`${value}_about`),
          }))}
        />
      </Field>
    </>
  )
}

/** Says beside each address, while it is typed, how it was read. */
function OriginsField({ draft, onChange, faults, problem }: TokenFieldsProps) {
  const t = useTokenTexts()
  const read = readOrigins(draft.origins)
  const refused = problem?.faults.find(({ path }) => path.startsWith('/allowed_origins'))
  const fault = {
    none: t('fault_origins'),
    many: t('fault_many', { max: ORIGINS_MAX }),
    wrong: undefined,
  }[faults?.origins ?? 'wrong']
  return (
    <div>
      <Field label={t('origins_label')} hint={t('origins_hint')} fault={fault ?? refused?.message}>
        <Textarea
          rows={3}
          spellCheck={false}
          placeholder={t('origins_example')}
          value={draft.origins}
          onChange={({ target }) => onChange({ origins: target.value })}
        />
      </Field>
      {read.length > 0 && (
        <ul aria-label={t('origins_read')} className="mt-2 flex flex-col gap-1 text-sm">
          {read.map((one, index) => (
            <li key={`${index} ${one.text}`} className="flex items-start gap-2">
              {one.fault === null ? (
                <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden="true" />
              ) : (
                <CircleX className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden="true" />
              )}
              <span className="min-w-0 wrap-anywhere">
                {one.origin ?? one.text}
                {one.fault !== null && <span className="text-bad"> · {t(one.fault)}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function LookFields({ draft, onChange, faults }: TokenFieldsProps) {
  const t = useTokenTexts()
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        <ColourField draft={draft} onChange={onChange} isWrong={faults?.colour !== undefined} />
        <Field label={t('language')}>
          <Select<string>
            value={draft.language}
            onChange={(language) => onChange({ language })}
            choices={[
              { value: '', text: t('language_page') },
              ...Object.entries(languages).map(([value, text]) => ({ value, text })),
            ]}
          />
        </Field>
      </div>
      <ChoiceCards
        legend={t('position')}
        value={draft.position}
        onChange={(position) => onChange({ position })}
        choices={[
          { value: 'right', title: t('position_right'), about: '' },
          { value: 'left', title: t('position_left'), about: '' },
        ]}
      />
      <Field label={t('greeting')} hint={t('greeting_hint')} optional>
        <Textarea
          rows={2}
          maxLength={GREETING_MAX}
          placeholder={t('preview_greeting')}
          value={draft.greeting}
          onChange={({ target }) => onChange({ greeting: target.value })}
        />
      </Field>
    </>
  )
}

interface ColourFieldProps {
  draft: TokenDraft
  onChange(part: Partial<TokenDraft>): void
  isWrong: boolean
}

function ColourField({ draft: { colour }, onChange, isWrong }: ColourFieldProps) {
  const t = useTokenTexts()
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field label={t('colour')} fault={isWrong ? t('fault_colour') : undefined}>
          <Input
            spellCheck={false}
            autoComplete="off"
            maxLength={7}
            placeholder={DEFAULT_COLOUR}
            value={colour}
            onChange={({ target }) => onChange({ colour: target.value.trim() })}
          />
        </Field>
      </div>
      <input
        type="color"
        aria-label={t('colour')}
        value={isColour(colour) ? colour.toLowerCase() : DEFAULT_COLOUR}
        onChange={({ target }) => onChange({ colour: target.value })}
        className="mt-6.5 size-9 shrink-0 cursor-pointer rounded-lg border border-line-strong bg-surface p-1"
      />
    </div>
  )
}
