/** Shows one document as a form or as JSON. Saves it only if nobody else has changed it. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiProblem } from '../../api/client.ts'
import { ConfirmedAct } from '../../api/confirmed-act.tsx'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ProblemState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { Tabs } from '../../ui/display/tabs.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Textarea } from '../../ui/forms/input.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { applyChanges, keepFirstPage } from './document-cache.ts'
import { FieldInput } from './field-input.tsx'
import type { DataField } from './fields.ts'
import { DocumentHistory } from './document-history.tsx'
import { withValue } from './grid/cell-value.ts'
import {
  collectionsKey,
  createDocument,
  deleteDocument,
  documentsKey,
  replaceDocument,
  type Collection,
  type Document,
  type DocumentData,
} from './queries.ts'
import { useDataTexts } from './texts.ts'

export interface DocumentDrawerProps {
  collection: Collection
  fields: readonly DataField[]
  document: Document | 'new' | null
  onClose(): void
}

export function DocumentDrawer({ collection, fields, document, onClose }: DocumentDrawerProps) {
  const t = useDataTexts()
  return (
    <Drawer
      open={document !== null}
      onClose={onClose}
      title={document === 'new' ? t('add') : t('document')}
    >
      {document !== null && (
        <Editor
          key={document === 'new' ? 'new' : `${document.id} ${document.version}`}
          collection={collection}
          fields={fields}
          document={document === 'new' ? null : document}
          onClose={onClose}
        />
      )}
    </Drawer>
  )
}

interface EditorProps {
  collection: Collection
  fields: readonly DataField[]
  document: Document | null
  onClose(): void
}

type View = 'form' | 'json' | 'history'

function Editor({ collection, fields, document, onClose }: EditorProps) {
  const t = useDataTexts()
  const scope = useProjectScope()
  const canWrite = scope.may('member')
  const [data, setData] = useState<DocumentData>(document?.data ?? {})
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isInvalid, setInvalid] = useState(false)
  const [view, setView] = useState<View>(fields.length === 0 ? 'json' : 'form')
  const save = useSave({ name: collection.name, document, onClose, onRefused: setProblem })
  const show = (next: View) => {
    setView(next)
    setInvalid(false)
  }
  return (
    <form
      noValidate
      className="flex min-h-full flex-col"
      onSubmit={submit(() => save.mutate(data))}
    >
      <fieldset disabled={!canWrite} className="flex-1 p-5">
        {problem !== null && <Refused problem={problem} name={collection.name} onClose={onClose} />}
        <Tabs
          label={t('view')}
          value={view}
          onChange={show}
          tabs={[
            {
              value: 'form',
              title: t('form'),
              body: <Form fields={fields} data={data} onChange={setData} problem={problem} />,
            },
            {
              value: 'json',
              title: 'JSON',
              body: <JsonEditor data={data} onChange={setData} onInvalid={setInvalid} />,
            },
            ...(document === null
              ? []
              : [
                  {
                    value: 'history' as const,
                    title: t('history'),
                    body: <DocumentHistory document={document} onRestored={onClose} />,
                  },
                ]),
          ]}
        />
        {document !== null && <Origin document={document} />}
      </fieldset>
      {canWrite && (
        <div className="sticky bottom-0 flex gap-2 border-t border-line bg-raised px-5 py-3">
          <Button type="submit" kind="primary" busy={save.isPending} disabled={isInvalid}>
            {t(document === null ? 'add' : 'save')}
          </Button>
          {document !== null && <DeleteButton document={document} onDone={onClose} />}
        </div>
      )}
    </form>
  )
}

interface Saving {
  name: string
  document: Document | null
  onClose(): void
  onRefused(problem: ApiProblem): void
}

function useSave({ name, document, onClose, onRefused }: Saving) {
  const t = useDataTexts()
  const scope = useProjectScope()
  const client = useQueryClient()
  return useAct({
    run: (data: DocumentData) =>
      document === null
        ? createDocument(scope, name, data)
        : replaceDocument(scope, document, data),
    done: t(document === null ? 'added' : 'saved'),
    refresh: [collectionsKey(scope)],
    onDone(saved) {
      const kind = document === null ? 'created' : 'updated'
      const changes = [{ kind, id: saved.id, version: saved.version, document: saved } as const]
      applyChanges(client, { scope, collection: name, changes })
      onClose()
    },
    onFault(fault) {
      onRefused(fault)
      return true
    },
  })
}

interface FormProps {
  fields: readonly DataField[]
  data: DocumentData
  onChange(data: DocumentData): void
  problem: ApiProblem | null
}

function Form({ fields, data, onChange, problem }: FormProps) {
  const t = useDataTexts()
  const faultOf = (name: string) =>
    problem?.faults.find(({ path }) => path === `/${name}` || path.startsWith(`/${name}/`))?.message
  return (
    <div className="flex flex-col gap-4">
      {fields.length === 0 && <p className="text-muted">{t('no_fields')}</p>}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={data[field.name]}
          fault={faultOf(field.name)}
          onChange={(value) => onChange(withValue(data, field.name, value))}
        />
      ))}
    </div>
  )
}

/** Why the document was not saved. After a conflict the list is read again, and the drawer closed. */
function Refused(props: { problem: ApiProblem; name: string; onClose(): void }) {
  const { problem, name, onClose } = props
  const t = useDataTexts()
  const client = useQueryClient()
  const scope = useProjectScope()
  const reload = () => {
    keepFirstPage(client, scope, name)
    void client.invalidateQueries({ queryKey: documentsKey(scope, name) })
    onClose()
  }
  return (
    <div className="mb-5">
      {problem.faults.length > 0 ? (
        <ErrorState
          user_message={problem.user_message}
          next_step={t('faults_about')}
          request_id={problem.request_id}
        />
      ) : (
        <ProblemState error={problem} />
      )}
      {problem.slug === 'version_conflict' && (
        <Button size="sm" className="mt-3" onClick={reload}>
          {t('discard')}
        </Button>
      )}
    </div>
  )
}

function JsonEditor(props: {
  data: DocumentData
  onChange(data: DocumentData): void
  onInvalid(isInvalid: boolean): void
}) {
  const t = useDataTexts()
  const [text, setText] = useState(() => JSON.stringify(props.data, null, 2))
  const [fault, setFault] = useState<string>()
  const change = (next: string) => {
    setText(next)
    const parsed = parseObject(next)
    setFault(parsed === null ? t('fault_json') : undefined)
    props.onInvalid(parsed === null)
    if (parsed !== null) props.onChange(parsed)
  }
  return (
    <Field label={t('json_label')} fault={fault}>
      <Textarea
        rows={16}
        spellCheck={false}
        className="font-mono text-sm"
        value={text}
        onChange={({ target }) => change(target.value)}
      />
    </Field>
  )
}

function parseObject(text: string): DocumentData | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null
  } catch {
    return null
  }
}

function Origin({ document }: { document: Document }) {
  const t = useDataTexts()
  const format = useFormat()
  return (
    <div className="mt-8 border-t border-line pt-5 text-sm">
      <Facts
        facts={[
          [t('created_at'), format.moment(document.created_at)],
          [t('updated_at'), format.moment(document.updated_at)],
          [t('source'), t(`source_${document.source}`)],
          [t('version'), format.number(document.version)],
          [
            'Id',
            <code key="id" className="font-mono text-xs break-all">
              {document.id}
            </code>,
          ],
        ]}
      />
    </div>
  )
}

function DeleteButton({ document, onDone }: { document: Document; onDone(): void }) {
  const t = useDataTexts()
  const scope = useProjectScope()
  const client = useQueryClient()
  return (
    <ConfirmedAct
      title={t('delete_title')}
      about={t('delete_about')}
      text={t('delete')}
      run={() => deleteDocument(scope, document)}
      done={t('deleted')}
      refresh={[collectionsKey(scope)]}
      onDone={() => {
        const { id, version, collection } = document
        const change = { kind: 'deleted', id, version, document: null } as const
        applyChanges(client, { scope, collection, changes: [change] })
        onDone()
      }}
      button={(ask) => (
        <Button kind="ghost" className="ml-auto" onClick={ask}>
          {t('delete')}
        </Button>
      )}
    />
  )
}
