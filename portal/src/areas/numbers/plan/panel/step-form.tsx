/** The form of one step: its fields from the schema of its type, its exits, and what can be done. */
import { Copy, Ellipsis, Flag, Trash2, TriangleAlert, X } from 'lucide-react'
import { Button } from '../../../../ui/actions/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../../../ui/actions/menu.tsx'
import { Badge } from '../../../../ui/display/badge.tsx'
import { CodeBlock } from '../../../../ui/display/code-block.tsx'
import { Field } from '../../../../ui/forms/field.tsx'
import { Input } from '../../../../ui/forms/input.tsx'
import { say } from '../../../../ui/overlays/toast.tsx'
import { usePlanEditor } from '../editor-context.tsx'
import type { JsonObject } from '../model/json.ts'
import { propertiesOf, valuesOf, type Schema } from '../model/node-schema.ts'
import { entryOf, type PlanStep } from '../model/plan.ts'
import { useStepNames, useTypeNames } from '../names.ts'
import { problemsAt, type PlanProblem } from '../problems/problems.ts'
import { StepTile } from '../step-icon.tsx'
import { usePlanTexts } from '../texts.ts'
import { duplicateStep } from '../use-editor.ts'
import { ExitList } from './exit-list.tsx'
import { SchemaField } from './schema-field.tsx'
import { StepId } from './step-id.tsx'

/** Fields that the form shows in a place of their own. */
const ownFields = ['id', 'type', 'label']

export interface StepFormProps {
  step: PlanStep
  withTitle?: boolean
}

export function StepForm({ step, withTitle = false }: StepFormProps) {
  const t = usePlanTexts()
  const { schemas, mayEdit } = usePlanEditor()
  const { id, type, node } = step
  const schema = schemas[type]
  return (
    <div className="flex flex-col gap-5 p-5">
      <Heading step={step} withTitle={withTitle} />
      <OtherProblems step={step} schema={schema} />
      <fieldset disabled={!mayEdit} className="flex min-w-0 flex-col gap-5">
        <Label step={step} />
        {propertiesOf(schema)
          .filter(([name, one]) => isFormField(name, one, node))
          .map(([name]) => (
            <SchemaField key={name} id={id} path={[name]} schema={schema} />
          ))}
        {schema === undefined && <p className="text-muted">{t('unknown_type')}</p>}
        {schema !== undefined && <ExitList step={step} schema={schema} />}
        <UnknownKeys node={node} schema={schema} />
        <StepId step={step} />
      </fieldset>
    </div>
  )
}

/** Whether a field is edited here. Exits have their own list, and own hours show if chosen. */
function isFormField(name: string, schema: Schema, node: JsonObject): boolean {
  if (ownFields.includes(name) || schema['x-edge'] === true) return false
  if (valuesOf(schema)?.['x-edge'] === true) return false
  // Another value than the usual one has no effect, which a warning says.
  if (name === 'transcribe' || name === 'onlyMobile') return node[name] !== undefined
  return name !== 'schedule' || node['source'] === 'custom' || node['schedule'] !== undefined
}

function Heading({ step, withTitle }: { step: PlanStep; withTitle: boolean }) {
  const t = usePlanTexts()
  const stepName = useStepNames()
  const typeName = useTypeNames()
  const { plan, select, mayEdit } = usePlanEditor()
  const { id, type } = step
  return (
    <div className="flex items-start gap-3">
      <StepTile type={type} />
      <div className="min-w-0 flex-1">
        {withTitle && <h3 className="truncate font-semibold tracking-tight">{stepName(step)}</h3>}
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          {withTitle && typeName(type) === stepName(step) ? null : typeName(type)}
          {entryOf(plan) === id && <Badge tone="accent">{t('first')}</Badge>}
        </p>
      </div>
      {mayEdit && <StepActions step={step} />}
      {withTitle && (
        <Button
          kind="ghost"
          size="icon"
          aria-label={t('close_panel')}
          className="-mr-2"
          onClick={() => select(null)}
        >
          <X aria-hidden="true" />
        </Button>
      )}
    </div>
  )
}

function StepActions({ step }: { step: PlanStep }) {
  const t = usePlanTexts()
  const stepName = useStepNames()
  const editor = usePlanEditor()
  const { plan, edit, removeStep } = editor
  const { id } = step
  return (
    <Menu
      align="end"
      trigger={
        <Button kind="ghost" size="icon" aria-label={t('more')}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      {entryOf(plan) !== id && (
        <MenuItem
          icon={<Flag aria-hidden="true" />}
          onSelect={() => edit('', { ...plan, entry: id })}
        >
          {t('make_first')}
        </MenuItem>
      )}
      <MenuItem icon={<Copy aria-hidden="true" />} onSelect={() => duplicateStep(editor, id)}>
        {t('duplicate')}
      </MenuItem>
      <MenuLine />
      <MenuItem
        danger
        icon={<Trash2 aria-hidden="true" />}
        onSelect={() => {
          removeStep(id)
          say(t('removed_step', { step: stepName(step) }))
        }}
      >
        {t('remove_step')}
      </MenuItem>
    </Menu>
  )
}

function Label({ step: { id, node } }: { step: PlanStep }) {
  const t = usePlanTexts()
  const { setField } = usePlanEditor()
  const { label } = node
  return (
    <Field label={t('label')} hint={t('label_hint')} optional>
      <Input
        autoComplete="off"
        value={typeof label === 'string' ? label : ''}
        onChange={({ target }) => setField(id, ['label'], target.value || undefined)}
      />
    </Field>
  )
}

/** Problems of the step that belong to no field of the form. */
function OtherProblems({ step, schema }: { step: PlanStep; schema: Schema | undefined }) {
  const t = usePlanTexts()
  const { problems } = usePlanEditor()
  const known = Object.keys(schema?.properties ?? {})
  const isOther = ({ field }: PlanProblem) => !known.includes(field.split('/')[1] ?? '')
  const others = problemsAt(problems, step.id).filter(isOther)
  if (others.length === 0) return null
  return (
    <ul className="flex flex-col gap-1.5 rounded-lg bg-warn-soft p-3 text-sm">
      {others.map(({ field, message }) => (
        <li key={`${field} ${message}`} className="flex gap-2">
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-label={t('warning')} />
          <span>{message}</span>
        </li>
      ))}
    </ul>
  )
}

function UnknownKeys({ node, schema }: { node: JsonObject; schema: Schema | undefined }) {
  const t = usePlanTexts()
  const known = Object.keys(schema?.properties ?? { id: {}, type: {}, label: {} })
  const others = Object.entries(node).filter(([key]) => !known.includes(key))
  if (others.length === 0) return null
  const code = JSON.stringify(Object.fromEntries(others), null, 2)
  return (
    <div>
      <p className="text-sm font-medium">{t('unknown_keys')}</p>
      <p className="mb-2 text-sm text-muted">{t('unknown_keys_about')}</p>
      <CodeBlock code={code} label={t('unknown_keys')} />
    </div>
  )
}
