/** The code of an app: its modules, an editor that deploys, and its versions with their differences. */
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Textarea } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { compareLines } from './compare-lines.ts'
import {
  appsKey,
  deployApp,
  rollbackApp,
  versionQuery,
  versionsQuery,
  type AppModule,
  type AppVersion,
  type AppWithCode,
} from './queries.ts'
import { useAppTexts } from './texts.ts'

interface CodeTabProps {
  app: AppWithCode
  /** The modules in the editor; null while it is closed. */
  draft: AppModule[] | null
  setDraft(draft: AppModule[] | null): void
}

export function CodeTab(props: CodeTabProps) {
  const { app } = props
  const t = useAppTexts()
  return (
    <div className="flex flex-col gap-6">
      <Modules {...props} />
      <a href="/docs/assets/app.d.ts" target="_blank" rel="noreferrer">
        {t('types')}
      </a>
      <Versions app={app} />
    </div>
  )
}

function Modules({ app, draft, setDraft }: CodeTabProps) {
  const t = useAppTexts()
  const scope = useProjectScope()
  const [chosen, setPath] = useState(app.main)
  const [fault, setFault] = useState<string | undefined>()
  const modules = draft ?? app.modules
  // Another version may lack it.
  const path = modules.some((one) => one.path === chosen) ? chosen : app.main
  const text = modules.find((one) => one.path === path)?.text ?? ''
  const act = useAct({
    run: (given: AppModule[]) => deployApp(scope, app.id, { modules: given }),
    refresh: [appsKey(scope)],
    onDone: () => setDraft(null),
    onFault(problem) {
      setFault(problem.message)
      return true
    },
  })
  const edit = (to: string) =>
    setDraft(modules.map((one) => (one.path === path ? { ...one, text: to } : one)))
  return (
    <Card
      title={t('modules')}
      aside={
        draft === null &&
        scope.may('admin') && (
          <Button size="sm" onClick={() => setDraft(app.modules)}>
            <Pencil aria-hidden="true" />
            {t('edit')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {modules.length > 1 && (
          <Select
            label={t('module')}
            value={path}
            onChange={setPath}
            choices={modules.map((one) => ({ value: one.path, text: one.path }))}
          />
        )}
        {draft === null ? (
          <CodeBlock code={text} label={t('module_code', { path })} />
        ) : (
          <Editor
            path={path}
            text={text}
            fault={fault}
            busy={act.isPending}
            onEdit={edit}
            onDeploy={() => {
              setFault(undefined)
              act.mutate(draft)
            }}
            onCancel={() => setDraft(null)}
          />
        )}
      </div>
    </Card>
  )
}

interface EditorProps {
  path: string
  text: string
  fault: string | undefined
  busy: boolean
  onEdit(text: string): void
  onDeploy(): void
  onCancel(): void
}

function Editor({ path, text, fault, busy, onEdit, onDeploy, onCancel }: EditorProps) {
  const t = useAppTexts()
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onDeploy()
      }}
    >
      <Field label={t('module_code', { path })} fault={fault}>
        <Textarea
          rows={20}
          spellCheck={false}
          className="font-mono text-sm"
          value={text}
          onChange={(event) => onEdit(event.target.value)}
        />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" kind="primary" busy={busy}>
          {t('deploy')}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  )
}

function Versions({ app }: { app: AppWithCode }) {
  const t = useAppTexts()
  const scope = useProjectScope()
  const query = useQuery(versionsQuery(scope, app.id))
  const [compared, setCompared] = useState<number | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const act = useAct({
    run: (version: number) => rollbackApp(scope, app.id, version),
    refresh: [appsKey(scope)],
    onDone: () => setChosen(null),
  })
  const buttons = ({ version, live }: AppVersion) =>
    !live && (
      <span className="flex flex-wrap gap-2">
        <Button
          size="sm"
          aria-expanded={compared === version}
          onClick={() => setCompared(compared === version ? null : version)}
        >
          {t('compare')}
        </Button>
        {scope.may('admin') && (
          <Button size="sm" onClick={() => setChosen(version)}>
            {t('rollback')}
          </Button>
        )}
      </span>
    )
  return (
    <Card title={t('versions')}>
      <QueryState query={query}>
        {(versions) => (
          <ul className="flex flex-col divide-y divide-line">
            {versions.map((one) => (
              <li key={one.version} className="flex flex-wrap items-center gap-3 py-2.5">
                <span className="font-medium">{t('version', { number: one.version })}</span>
                {one.live && <Badge tone="good">{t('live')}</Badge>}
                <span className="flex-1 text-sm text-muted">
                  <Moment at={one.created_at} />
                </span>
                {buttons(one)}
                {compared === one.version && (
                  <div className="w-full min-w-0">
                    <Difference app={app} version={one.version} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <AlertDialog
        open={chosen !== null}
        onOpenChange={() => setChosen(null)}
        title={t('rollback_title', { number: chosen ?? 0 })}
        about={t('rollback_about')}
        action={t('rollback')}
        busy={act.isPending}
        onConfirm={() => chosen !== null && act.mutate(chosen)}
      />
    </Card>
  )
}

const marks = { added: '+', removed: '−', kept: ' ' } as const
const tones = { added: 'bg-good-soft', removed: 'bg-bad-soft', kept: '' } as const

/** What changed from a version to the live one. */
function Difference({ app, version }: { app: AppWithCode; version: number }) {
  const t = useAppTexts()
  const query = useQuery(versionQuery(useProjectScope(), app.id, version))
  return (
    <QueryState query={query}>
      {({ modules }) => {
        const lines = compareLines(textOf(modules), textOf(app.modules))
        if (lines.every(({ kind }) => kind === 'kept')) return <p>{t('same')}</p>
        return (
          <pre
            role="region"
            tabIndex={0}
            aria-label={t('difference', { number: version })}
            className="max-h-[60dvh] overflow-auto rounded-lg border border-line py-3 font-mono text-sm"
          >
            {lines.map(({ kind, text }, index) => (
              <div key={`${index} ${text}`} className={`px-4 ${tones[kind]}`}>
                {marks[kind]} {text}
              </div>
            ))}
          </pre>
        )
      }}
    </QueryState>
  )
}

function textOf(modules: readonly AppModule[]): string {
  return modules.map(({ path, text }) => `// ${path}\n${text}`).join('\n')
}
