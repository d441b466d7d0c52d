/** Ranges of times of a day in a row each: `09:00 – 17:30`. A day without any is closed. */
import { Plus } from 'lucide-react'
import { Fragment } from 'react'
import { Button } from '../../../../ui/actions/button.tsx'
import { usePlanEditor } from '../editor-context.tsx'
import { isList, isObject, pointerOf, type Json } from '../model/json.ts'
import { propertiesOf, type Schema } from '../model/node-schema.ts'
import { useFieldNames } from '../names.ts'
import { problemsAt } from '../problems/problems.ts'
import { usePlanTexts } from '../texts.ts'
import { RemoveButton, type FieldState } from './field-parts.tsx'

export function TimesField({ state }: { state: FieldState }) {
  const t = usePlanTexts()
  const { problems } = usePlanEditor()
  const { id, path, schema, value, label, isOptional, change } = state
  const ranges = isList(value) ? value : []
  const at = pointerOf(path)
  const faults = problemsAt(problems, id).filter(
    ({ tone, field }) => tone === 'bad' && (field === at || field.startsWith(`${at}/`)),
  )
  const remove = (index: number) =>
    change(ranges.length === 1 && isOptional ? undefined : ranges.toSpliced(index, 1))
  return (
    <div role="group" aria-label={label} className="grid grid-cols-[6rem_1fr] gap-2">
      <p className="pt-1.5 text-sm font-medium">{label}</p>
      <div className="flex flex-col gap-1.5">
        {ranges.map((_range, index) => (
          <div key={index} className="flex items-center gap-1.5">
            <Range state={state} index={index} />
            <RemoveButton item={`${label} ${index + 1}`} onRemove={() => remove(index)} />
          </div>
        ))}
        {faults.map(({ field, message }) => (
          <p key={field} className="text-sm text-bad">
            {message}
          </p>
        ))}
        <Button
          size="sm"
          kind="ghost"
          className="self-start"
          onClick={() => change([...ranges, exampleOf(schema)])}
        >
          <Plus aria-hidden="true" />
          {t(ranges.length === 0 ? 'closed_add' : 'add_item')}
          <span className="sr-only">: {label}</span>
        </Button>
      </div>
    </div>
  )
}

function Range({ state, index }: { state: FieldState; index: number }) {
  const fieldName = useFieldNames()
  const { setField } = usePlanEditor()
  const { id, path, schema, value, label } = state
  const range = isList(value) ? value[index] : undefined
  return propertiesOf(schema.items).map(([name], place) => {
    const time = isObject(range) ? range[name] : undefined
    return (
      <Fragment key={name}>
        {place > 0 && <span aria-hidden="true">–</span>}
        <input
          aria-label={`${label} ${index + 1}: ${fieldName(name)}`}
          autoComplete="off"
          className="control w-18! px-2! text-center tabular-nums"
          value={typeof time === 'string' ? time : ''}
          onChange={({ target }) => setField(id, [...path, index, name], target.value)}
        />
      </Fragment>
    )
  })
}

function exampleOf(schema: Schema): Json {
  const fields = propertiesOf(schema.items)
  return Object.fromEntries(fields.map(([name, { examples: [one = ''] = [] }]) => [name, one]))
}
