/**
 * The choice of a next step: an existing one, a new one of a type, or the end of the call. It is a
 * native select, which works the same with keyboard, screen reader and on a phone.
 */
import { usePlanEditor } from '../editor-context.tsx'
import type { Path } from '../model/json.ts'
import { stepOf } from '../model/plan.ts'
import { useStepNames, useTypeNames } from '../names.ts'
import { usePlanTexts } from '../texts.ts'

export interface StepSelectProps {
  /** The step that it leaves, and the exit. */
  from: string
  path: Path
  to: string | null
  isOptional: boolean
  id?: string
  label?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}

const NEW = 'new:'
const STEP = 'step:'

export function StepSelect({ from, path, to, isOptional, label, ...rest }: StepSelectProps) {
  const t = usePlanTexts()
  const stepName = useStepNames()
  const typeName = useTypeNames()
  const { plan, schemas, steps, setField, addStep } = usePlanEditor()
  const choose = (value: string) => {
    if (value.startsWith(NEW)) addStep(value.slice(NEW.length), { id: from, path })
    else if (value === '') setField(from, path, isOptional ? undefined : '')
    else setField(from, path, value.slice(STEP.length))
  }
  return (
    <select
      {...rest}
      aria-label={label}
      className="control h-9 min-w-0"
      value={to === null ? '' : STEP + to}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">{t(isOptional ? 'ends_call' : 'not_chosen')}</option>
      {to !== null && stepOf(plan, to) === null && (
        <option value={STEP + to}>{t('missing_step', { id: to })}</option>
      )}
      <optgroup label={t('existing_steps')}>
        {steps.map((step, index) => (
          <option key={step.id} value={STEP + step.id}>
            {index + 1}. {stepName(step)}
          </option>
        ))}
      </optgroup>
      <optgroup label={t('new_step')}>
        {Object.keys(schemas).map((type) => (
          <option key={type} value={NEW + type}>
            {typeName(type)}
          </option>
        ))}
      </optgroup>
    </select>
  )
}
