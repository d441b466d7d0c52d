/** A field of a step, drawn by its schema: a choice, a number, a text, a list or a group. */
import { Plus } from 'lucide-react'
import { Button } from '../../../../ui/actions/button.tsx'
import { cx } from '../../../../ui/class-names.ts'
import { Field } from '../../../../ui/forms/field.tsx'
import { usePlanEditor } from '../editor-context.tsx'
import { freeKeys } from '../model/exits.ts'
import { isList, isObject, pointerOf, valueAt, type Path } from '../model/json.ts'
import {
  emptyValue,
  isRequired,
  propertiesOf,
  valuesOf,
  type Schema,
} from '../model/node-schema.ts'
import { stepOf } from '../model/plan.ts'
import { useFieldNames } from '../names.ts'
import { problemsAt } from '../problems/problems.ts'
import { usePlanTexts } from '../texts.ts'
import { RemoveButton, type FieldState } from './field-parts.tsx'
import { MediaIdField } from './media-id-field.tsx'
import { BooleanField, ChoiceField, LinesField, NumberField, TextField } from './simple-fields.tsx'
import { StepSelect } from './step-select.tsx'
import { TimesField } from './times-field.tsx'

export interface SchemaFieldProps {
  /** The step. */
  id: string
  /** Path below the step. */
  path: Path
  /** The schema of the object that has the field. */
  schema: Schema | undefined
}

export function SchemaField({ id, path, schema: holder }: SchemaFieldProps) {
  const fieldName = useFieldNames()
  const { plan, problems, setField } = usePlanEditor()
  const name = String(path.at(-1) ?? '')
  const schema = holder?.properties?.[name]
  const step = stepOf(plan, id)
  if (schema === undefined || step === null || schema.const !== undefined) return null
  const at = pointerOf(path)
  const isLeaf = schema.type !== 'object' && schema.items?.type !== 'object'
  const found = problemsAt(problems, id).find(({ tone, field }) =>
    tone === 'bad' && isLeaf ? field === at || field.startsWith(`${at}/`) : field === at,
  )
  const state: FieldState = {
    id,
    path,
    name,
    label: fieldName(name, path.length === 1 ? step.type : undefined),
    schema,
    value: valueAt(step.node, path),
    isOptional: !isRequired(holder, name),
    fault: found?.message,
    change: (value) => setField(id, path, value),
  }
  return <AnyField state={state} />
}

function AnyField({ state }: { state: FieldState }) {
  const { schema, id, path, value, isOptional, label, fault } = state
  if (schema['x-edge'] === true) {
    return (
      <Field label={label} fault={fault}>
        <StepSelect
          from={id}
          path={path}
          to={typeof value === 'string' && value !== '' ? value : null}
          isOptional={isOptional}
        />
      </Field>
    )
  }
  if (state.name === 'mediaId') return <MediaIdField state={state} />
  if (schema.enum !== undefined) return <ChoiceField state={state} />
  if (schema.type === 'boolean') return <BooleanField state={state} />
  if (schema.type === 'integer') return <NumberField state={state} />
  if (schema.type === 'array') return <ArrayField state={state} />
  if (schema.type === 'object' && valuesOf(schema) !== undefined) return <MapField state={state} />
  if (schema.type === 'object') return <GroupField state={state} />
  return <TextField state={state} />
}

function ArrayField({ state }: { state: FieldState }) {
  const { schema } = state
  if (isTimes(schema)) return <TimesField state={state} />
  return schema.items?.type === 'object' ? (
    <ListField state={state} />
  ) : (
    <LinesField state={state} />
  )
}

/** Whether a list consists of times of day, such as those of a weekday. */
function isTimes({ items }: Schema): boolean {
  const fields = propertiesOf(items)
  return fields.length > 0 && fields.every(([, { pattern }]) => pattern?.includes(':') === true)
}

/** An object with fields of its own. An optional one is added first. */
function GroupField({ state }: { state: FieldState }) {
  const t = usePlanTexts()
  const { id, path, schema, value, label, isOptional, change, fault } = state
  if (!isObject(value)) {
    const [example] = schema.examples ?? []
    return (
      <div>
        <Button size="sm" onClick={() => change(example ?? emptyValue(schema))}>
          <Plus aria-hidden="true" />
          {t('add_field', { field: label })}
        </Button>
        {fault !== undefined && <p className="mt-1.5 text-sm text-bad">{fault}</p>}
      </div>
    )
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-4 rounded-xl border border-line p-4">
      <legend className="flex items-center gap-1 px-1 text-sm font-medium">
        {label}
        {isOptional && <RemoveButton item={label} onRemove={() => change(undefined)} />}
      </legend>
      {propertiesOf(schema).map(([name]) => (
        <SchemaField key={name} id={id} path={[...path, name]} schema={schema} />
      ))}
      {fault !== undefined && <p className="text-sm text-bad">{fault}</p>}
    </fieldset>
  )
}

/** A list of objects, each with its fields. */
function ListField({ state }: { state: FieldState }) {
  const t = usePlanTexts()
  const { id, path, schema, value, label, fault, change } = state
  const items = isList(value) ? value : []
  const { items: inner, maxItems = Number.POSITIVE_INFINITY } = schema
  if (inner === undefined) return null
  const isPair = propertiesOf(inner).filter(([, one]) => one.const === undefined).length === 2
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {items.map((_item, index) => (
        <div
          key={index}
          className={cx(
            'relative grid gap-3 rounded-xl border border-line p-4 pr-12',
            isPair && 'grid-cols-2',
          )}
        >
          {propertiesOf(inner).map(([name]) => (
            <SchemaField key={name} id={id} path={[...path, index, name]} schema={inner} />
          ))}
          <span className="absolute top-2 right-2">
            <RemoveButton
              item={`${label} ${index + 1}`}
              onRemove={() =>
                change(
                  items.length === 1 && state.isOptional ? undefined : items.toSpliced(index, 1),
                )
              }
            />
          </span>
        </div>
      ))}
      {items.length < maxItems && (
        <Button
          size="sm"
          kind="ghost"
          className="self-start"
          onClick={() => change([...items, emptyValue(inner)])}
        >
          <Plus aria-hidden="true" />
          {t('add_item')}
          <span className="sr-only">: {label}</span>
        </Button>
      )}
      {fault !== undefined && <p className="text-sm text-bad">{fault}</p>}
    </fieldset>
  )
}

/** Lists by key of the phone, such as the words that choose it. */
function MapField({ state }: { state: FieldState }) {
  const t = usePlanTexts()
  const { id, path, schema, value, label, change, fault } = state
  const inner = valuesOf(schema)
  if (inner === undefined) return null
  const map = isObject(value) ? value : {}
  const holder: Schema = {
    properties: Object.fromEntries(Object.keys(map).map((key) => [key, inner])),
  }
  const [free] = freeKeys(schema, map)
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {Object.keys(map).map((key) => (
        <div key={key} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <SchemaField id={id} path={[...path, key]} schema={holder} />
          </div>
          <RemoveButton
            item={key}
            onRemove={() => {
              const others = Object.entries(map).filter(([one]) => one !== key)
              change(others.length === 0 ? undefined : Object.fromEntries(others))
            }}
          />
        </div>
      ))}
      {free !== undefined && (
        <Button
          size="sm"
          kind="ghost"
          className="self-start"
          onClick={() => change({ ...map, [free]: emptyValue(inner) })}
        >
          <Plus aria-hidden="true" />
          {t('add_key')}
          <span className="sr-only">: {label}</span>
        </Button>
      )}
      {fault !== undefined && <p className="text-sm text-bad">{fault}</p>}
    </fieldset>
  )
}
