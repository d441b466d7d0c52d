/** What can follow a step, and where each exit leads. */
import { Plus, X } from 'lucide-react'
import { Button } from '../../../../ui/actions/button.tsx'
import { Field } from '../../../../ui/forms/field.tsx'
import { usePlanEditor } from '../editor-context.tsx'
import { exitsOf, freeKeys, keyedField, type Exit } from '../model/exits.ts'
import { pointerOf } from '../model/json.ts'
import type { Schema } from '../model/node-schema.ts'
import type { PlanStep } from '../model/plan.ts'
import { useExitNames } from '../names.ts'
import { problemsAt } from '../problems/problems.ts'
import { usePlanTexts } from '../texts.ts'
import { StepSelect } from './step-select.tsx'

export function ExitList({ step, schema }: { step: PlanStep; schema: Schema }) {
  const t = usePlanTexts()
  // Rules have their exits in their own forms.
  const exits = exitsOf(schema, step.node).filter(({ path }) => path.length < 3)
  if (exits.length === 0 && keyedField(schema) === null) return null
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-bg p-4">
      <legend className="px-1 text-sm font-medium">{t('exits')}</legend>
      {exits.map((exit) => (
        <ExitRow key={pointerOf(exit.path)} step={step} exit={exit} />
      ))}
      <AddKey step={step} schema={schema} />
    </fieldset>
  )
}

function ExitRow({ step, exit }: { step: PlanStep; exit: Exit }) {
  const t = usePlanTexts()
  const exitName = useExitNames()
  const { setField, problems } = usePlanEditor()
  const { path, part, to, isOptional } = exit
  const at = pointerOf(path)
  const fault = problemsAt(problems, step.id).find(
    ({ field, tone }) => field === at && tone === 'bad',
  )
  return (
    <div className="flex items-end gap-1">
      <div className="min-w-0 flex-1">
        <Field label={exitName(exit)} fault={fault?.message}>
          <StepSelect from={step.id} path={path} to={to} isOptional={isOptional} />
        </Field>
      </div>
      {part !== null && (
        <Button
          kind="ghost"
          size="icon"
          aria-label={t('remove_key', { key: part })}
          onClick={() => setField(step.id, path, undefined)}
        >
          <X aria-hidden="true" />
        </Button>
      )}
    </div>
  )
}

function AddKey({ step, schema }: { step: PlanStep; schema: Schema }) {
  const t = usePlanTexts()
  const { setField } = usePlanEditor()
  const field = keyedField(schema)
  if (field === null) return null
  const [key] = freeKeys(schema.properties?.[field], step.node[field])
  if (key === undefined) return null
  return (
    <Button size="sm" kind="ghost" onClick={() => setField(step.id, [field, key], '')}>
      <Plus aria-hidden="true" />
      {t('add_key')}
    </Button>
  )
}
