/** The fields of the steps: action, arguments, condition and name. */
import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../../ui/actions/button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input, Textarea } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { isKnown, knownActions, NOTIFY_OWNER } from './actions.ts'
import { newStep, readInput, withAction, type DraftStep } from './draft.ts'
import { useActionTexts, useBuilderTexts } from './texts.ts'

const STEPS_MAX = 20
const example = { example: '{{event.data.document.data.name}}' }
const result = { example: '{{steps.note.reply.id}}' }

export interface StepFieldsProps {
  steps: readonly DraftStep[]
  isTried: boolean
  onChange(steps: readonly DraftStep[]): void
}

export function StepFields({ steps, isTried, onChange }: StepFieldsProps) {
  const t = useBuilderTexts()
  const next = Math.max(-1, ...steps.map(({ key }) => key)) + 1
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-semibold">{t('steps')}</legend>
      {steps.map((step, index) => (
        <StepCard
          key={step.key}
          step={step}
          number={index + 1}
          isTried={isTried}
          onChange={(changed) => onChange(steps.map((one) => (one === step ? changed : one)))}
          {...(steps.length > 1 && {
            onRemove: () => onChange(steps.filter((one) => one !== step)),
          })}
        />
      ))}
      {steps.length < STEPS_MAX && (
        <Button className="self-start" onClick={() => onChange([...steps, newStep(next)])}>
          <Plus aria-hidden="true" />
          {t('add_step')}
        </Button>
      )}
    </fieldset>
  )
}

interface StepProps {
  step: DraftStep
  number: number
  isTried: boolean
  onChange(step: DraftStep): void
  onRemove?(): void
}

function StepCard({ onRemove, ...props }: StepProps) {
  const t = useBuilderTexts()
  const say = useActionTexts()
  const { step, number, onChange } = props
  return (
    <div
      role="group"
      aria-label={t('step', { number })}
      className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4"
    >
      <div className="flex items-center justify-between gap-2">
        <p className="font-medium">{t('step', { number })}</p>
        {onRemove !== undefined && (
          <Button
            kind="ghost"
            size="icon"
            aria-label={t('remove_step', { number })}
            onClick={onRemove}
          >
            <Trash2 aria-hidden="true" />
          </Button>
        )}
      </div>
      <Field label={t('action')}>
        <Select<string>
          value={isKnown(step.action) ? step.action : 'other'}
          onChange={(value) => onChange(withAction(step, value === 'other' ? '' : value))}
          choices={[
            ...knownActions.map((value) => ({ value, text: say(value) })),
            { value: 'other', text: t('other') },
          ]}
        />
      </Field>
      {!isKnown(step.action) && (
        <TextField name="action" hint={t('operation_hint')} label={t('operation')} {...props} />
      )}
      {step.action === NOTIFY_OWNER ? <MailFields {...props} /> : <InputField {...props} />}
      <TextField name="when" hint={t('when_hint')} label={t('when')} optional {...props} />
      <TextField
        name="name"
        hint={t('step_name_hint', result)}
        label={t('step_name')}
        optional
        {...props}
      />
    </div>
  )
}

function TextField(
  props: StepProps & {
    name: 'action' | 'when' | 'name'
    label: string
    hint: string
    optional?: boolean
  },
) {
  const { step, name, label, hint, optional = false, onChange } = props
  return (
    <Field label={label} hint={hint} optional={optional}>
      <Input
        className="font-mono"
        autoComplete="off"
        spellCheck={false}
        maxLength={2000}
        value={step[name]}
        onChange={({ target }) => onChange({ ...step, [name]: target.value })}
      />
    </Field>
  )
}

function InputField({ step, isTried, onChange }: StepProps) {
  const t = useBuilderTexts()
  const isWrong = isTried && readInput(step.input) === null
  return (
    <Field
      label={t('input')}
      hint={t('input_hint', example)}
      fault={isWrong ? t('input_fault') : undefined}
    >
      <Textarea
        className="font-mono text-sm"
        rows={6}
        spellCheck={false}
        value={step.input}
        onChange={({ target }) => onChange({ ...step, input: target.value })}
      />
    </Field>
  )
}

/** Shows the subject and the text of a mail to the owner as fields instead of JSON. */
function MailFields({ step, onChange }: StepProps) {
  const t = useBuilderTexts()
  const given = readInput(step.input)
  const { subject, text } = given ?? {}
  const mail = { subject: String(subject ?? ''), text: String(text ?? '') }
  const change = (part: Partial<typeof mail>) =>
    onChange({ ...step, input: JSON.stringify({ ...given, ...mail, ...part }, null, 2) })
  return (
    <>
      <Field label={t('subject')}>
        <Input
          autoComplete="off"
          maxLength={200}
          value={mail.subject}
          onChange={({ target }) => change({ subject: target.value })}
        />
      </Field>
      <Field label={t('text')} hint={t('text_hint', example)}>
        <Textarea
          rows={4}
          value={mail.text}
          onChange={({ target }) => change({ text: target.value })}
        />
      </Field>
    </>
  )
}
