/**
 * The schema of a collection as rows and as JSON beside them. A change is checked against the existing
 * documents before it is saved.
 */
import { useQuery } from '@tanstack/react-query'
import { ListPlus, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Textarea } from '../../../ui/forms/input.tsx'
import { fieldText } from '../filter/suggest.ts'
import { changeCollection, collectionKey, schemaPreviewQuery, type Collection } from '../queries.ts'
import { useSchemaDraft } from './draft.ts'
import { FieldRow } from './field-row.tsx'
import { Misfits } from './misfits.tsx'
import { faultOf, newField } from './schema-fields.ts'
import { useSchemaTexts } from './texts.ts'

type Editing = ReturnType<typeof useSchemaDraft>

export function SchemaEditor({ collection }: { collection: Collection }) {
  const mayWrite = useProjectScope().may('member')
  const editing = useSchemaDraft(collection)
  return (
    <fieldset disabled={!mayWrite}>
      <div className="grid gap-6 xl:grid-cols-[3fr_2fr] xl:items-start">
        <Rows editing={editing} />
        <SchemaJson editing={editing} />
      </div>
      {mayWrite && editing.hasChanged && <SaveBar collection={collection} editing={editing} />}
    </fieldset>
  )
}

function Rows({ editing }: { editing: Editing }) {
  const t = useSchemaTexts()
  const { draft, setFields, setListed, setClosed } = editing
  const { fields, schema, unique, indexes } = draft
  const add = () => setFields([...fields, newField(fields)])
  return (
    <Card
      flush
      title={t('fields')}
      about={t('fields_about')}
      aside={
        <Button size="sm" onClick={add}>
          <Plus aria-hidden="true" />
          {t('add')}
        </Button>
      }
    >
      {fields.length === 0 && (
        <p className="flex flex-col items-center gap-3 px-6 py-12 text-center text-muted">
          <ListPlus className="size-6 text-accent" aria-hidden="true" />
          {t('no_fields')}
        </p>
      )}
      <ul>
        {fields.map((field, index) => (
          <FieldRow
            key={field.key}
            field={field}
            number={index + 1}
            isFirst={index === 0}
            isLast={index === fields.length - 1}
            isUnique={unique.includes(fieldText(field.name))}
            isIndexed={indexes.includes(fieldText(field.name))}
            fault={faultOf(field, fields)}
            onChange={(next) => setFields(fields.with(index, next))}
            onListed={(list, isListed) => setListed(list, field.name, isListed)}
            onMove={(step) => setFields(moved(fields, index, step))}
            onRemove={() => setFields(fields.toSpliced(index, 1))}
          />
        ))}
      </ul>
      <label className="flex items-center gap-2.5 border-t border-line px-5 py-3.5 text-sm">
        <input
          type="checkbox"
          checked={schema['additionalProperties'] === false}
          onChange={({ target }) => setClosed(target.checked)}
          className="size-4 accent-(--accent)"
        />
        {t('closed')}
      </label>
    </Card>
  )
}

function moved<Item>(items: readonly Item[], index: number, step: -1 | 1): Item[] {
  const [item, other] = [items[index], items[index + step]]
  if (item === undefined || other === undefined) return [...items]
  return items.with(index, other).with(index + step, item)
}

function SchemaJson({ editing: { draft, setText } }: { editing: Editing }) {
  const t = useSchemaTexts()
  return (
    <Card title={t('json')} about={t('json_about')}>
      <Field label={t('json_label')} fault={draft.isInvalid ? t('fault_json') : undefined}>
        <Textarea
          rows={22}
          spellCheck={false}
          className="font-mono text-xs leading-relaxed"
          value={draft.text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
    </Card>
  )
}

const SETTLED_MS = 600

function SaveBar({ collection, editing }: { collection: Collection; editing: Editing }) {
  const t = useSchemaTexts()
  const scope = useProjectScope()
  const { draft, isInvalid, reset } = editing
  const change = { schema: draft.schema, unique: [...draft.unique], indexes: [...draft.indexes] }
  const settled = useSettled(JSON.stringify(change), SETTLED_MS)
  const isSettled = settled === JSON.stringify(change)
  const preview = useQuery({
    ...schemaPreviewQuery(scope, collection, JSON.parse(settled)),
    enabled: !isInvalid && isSettled,
  })
  const save = useAct({
    run: () => changeCollection(scope, collection.name, change),
    done: t('saved'),
    refresh: [collectionKey(scope, collection.name), ['collections', scope.project_id, scope.mode]],
  })
  return (
    <div className="sticky bottom-0 z-20 mt-6 flex flex-wrap items-start gap-4 rounded-xl border border-line bg-raised p-4 shadow-pop">
      <div className="max-h-60 min-w-60 flex-1 overflow-y-auto">
        {!isInvalid && <Misfits query={preview} />}
      </div>
      <div className="flex gap-2">
        <Button onClick={reset}>{t('reset')}</Button>
        <Button
          kind="primary"
          busy={save.isPending}
          disabled={isInvalid || !isSettled || !preview.isSuccess}
          onClick={() => save.mutate(undefined)}
        >
          {t('save')}
        </Button>
      </div>
    </div>
  )
}

/** A value that is still changing, once it has not changed for some time. */
function useSettled<Value>(value: Value, after_ms: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), after_ms)
    return () => clearTimeout(timer)
  }, [value, after_ms])
  return settled
}
