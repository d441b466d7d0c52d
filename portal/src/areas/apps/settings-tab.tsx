/** Schedules and secrets of an app, and its deletion. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { Table, type Column, type TableProps } from '../../ui/display/table.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import {
  appsKey,
  putSecrets,
  removeApp,
  schedulesQuery,
  secretsQuery,
  type App,
  type Schedule,
  type Secret,
} from './queries.ts'
import { useAppTexts } from './texts.ts'

export function SettingsTab({ app }: { app: App }) {
  const t = useAppTexts()
  const scope = useProjectScope()
  return (
    <div className="flex flex-col gap-6">
      <Card title={t('schedules')} flush>
        <Schedules id={app.id} />
      </Card>
      <Card title={t('secrets')} about={t('secrets_about')} flush>
        <Secrets id={app.id} />
        {scope.may('admin') && <SecretForm id={app.id} />}
      </Card>
      {scope.may('admin') && <Removal app={app} />}
    </div>
  )
}

interface RowsProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  query: UseQueryResult<Row[]>
  empty: string
}

function Rows<Row extends object>({ query, empty, ...table }: RowsProps<Row>) {
  return (
    <QueryState query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <p className="px-5 pb-5 text-muted">{empty}</p>
        ) : (
          <Table rows={rows} {...table} />
        )
      }
    </QueryState>
  )
}

function Schedules({ id }: { id: string }) {
  const t = useAppTexts()
  const query = useQuery(schedulesQuery(useProjectScope(), id))
  const columns: Column<Schedule>[] = [
    {
      id: 'cron',
      title: t('schedules'),
      cell: ({ cron, timezone, last_error }) => (
        <>
          <code className="font-mono">{cron}</code> <span className="text-muted">{timezone}</span>
          {last_error !== null && <p className="text-sm wrap-anywhere text-bad">{last_error}</p>}
        </>
      ),
    },
    {
      id: 'last',
      title: t('last_run'),
      cell: ({ last_run_at, last_status }) =>
        last_run_at !== null &&
        last_status !== null && (
          <span className="flex flex-wrap gap-2">
            <Badge tone={last_status === 'failed' ? 'bad' : 'neutral'}>{t(last_status)}</Badge>
            <Moment at={last_run_at} />
          </span>
        ),
    },
    {
      id: 'next',
      title: t('next_run'),
      from: 'sm',
      cell: ({ next_run_at }) => next_run_at !== null && <Moment at={next_run_at} />,
    },
  ]
  return (
    <Rows
      query={query}
      empty={t('no_schedules')}
      label={t('schedules')}
      columns={columns}
      keyOf={({ cron, timezone }) => `${cron} ${timezone}`}
    />
  )
}

function Secrets({ id }: { id: string }) {
  const t = useAppTexts()
  const scope = useProjectScope()
  const query = useQuery(secretsQuery(scope, id))
  const remove = useAct({
    run: (name: string) => putSecrets(scope, id, { [name]: null }),
    done: t('secret_removed'),
    refresh: [appsKey(scope)],
  })
  const columns: Column<Secret>[] = [
    {
      id: 'name',
      title: t('secret_name'),
      cell: ({ name }) => <code className="font-mono wrap-anywhere">{name}</code>,
    },
    {
      id: 'changed',
      title: t('changed'),
      from: 'sm',
      cell: ({ updated_at }) => <Moment at={updated_at} />,
    },
    {
      id: 'actions',
      title: t('actions'),
      untitled: true,
      align: 'right',
      cell: ({ name }) =>
        scope.may('admin') && (
          <Button
            kind="ghost"
            size="icon"
            aria-label={`${t('remove')} ${name}`}
            onClick={() => remove.mutate(name)}
          >
            <Trash2 aria-hidden="true" />
          </Button>
        ),
    },
  ]
  const keyOf = ({ name }: Secret) => name
  return <Rows {...{ query, columns, keyOf }} label={t('secrets')} empty={t('no_secrets')} />
}

function SecretForm({ id }: { id: string }) {
  const t = useAppTexts()
  const scope = useProjectScope()
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const act = useAct({
    run: () => putSecrets(scope, id, { [name]: value }),
    done: t('secret_saved'),
    refresh: [appsKey(scope)],
    onDone: () => {
      setName('')
      setValue('')
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    act.mutate(undefined)
  }
  return (
    <form onSubmit={send} className="grid items-start gap-4 p-5 sm:grid-cols-[1fr_1fr_auto]">
      <Field label={t('secret_name')} hint={t('secret_name_hint')}>
        <Input
          required
          pattern="[A-Z][A-Z0-9_]{0,63}"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value.toUpperCase())}
        />
      </Field>
      <Field label={t('secret_value')}>
        <Input
          required
          type="password"
          autoComplete="off"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      </Field>
      <div className="sm:pt-7">
        <Button type="submit" busy={act.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

function Removal({ app: { id, name } }: { app: App }) {
  const t = useAppTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const act = useAct({
    run: () => removeApp(scope, id),
    done: t('removed'),
    onDone: () => void navigate({ to: scope.link('/apps') }),
  })
  return (
    <div>
      <Button kind="danger" onClick={() => setAsks(true)}>
        <Trash2 aria-hidden="true" />
        {t('remove_app')}
      </Button>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('remove_title', { name })}
        about={t('remove_about')}
        action={t('remove_app')}
        busy={act.isPending}
        onConfirm={() => act.mutate(undefined)}
      />
    </div>
  )
}
