/** Schedules and secrets of an app, and its deletion. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
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
} from './queries.ts'
import { appTexts } from './texts.ts'

export function SettingsTab({ app }: { app: App }) {
  const t = useTexts(appTexts)
  const scope = useProjectScope()
  return (
    <div className="flex flex-col gap-6">
      <Card title={t('schedules')}>
        <Schedules id={app.id} />
      </Card>
      <Card title={t('secrets')} about={t('secrets_about')}>
        <Secrets id={app.id} />
      </Card>
      {scope.may('admin') && <Removal app={app} />}
    </div>
  )
}

function Schedules({ id }: { id: string }) {
  const t = useTexts(appTexts)
  const query = useQuery(schedulesQuery(useProjectScope(), id))
  return (
    <QueryState query={query}>
      {(schedules) =>
        schedules.length === 0 ? (
          <p className="text-muted">{t('no_schedules')}</p>
        ) : (
          <ul className="flex flex-col divide-y divide-line">
            {schedules.map(
              ({ cron, timezone, next_run_at, last_run_at, last_status, last_error }) => (
                <li key={`${cron} ${timezone}`} className="flex flex-col gap-1 py-3 first:pt-0">
                  <p className="flex flex-wrap items-center gap-3">
                    <code className="font-mono">{cron}</code>
                    <span className="text-muted">{timezone}</span>
                    {last_status !== null && (
                      <Badge tone={last_status === 'failed' ? 'bad' : 'neutral'}>
                        {t(last_status)}
                      </Badge>
                    )}
                  </p>
                  <p className="flex flex-wrap gap-x-4 text-sm text-muted">
                    {next_run_at !== null && (
                      <span>
                        {t('next_run')} <Moment at={next_run_at} />
                      </span>
                    )}
                    {last_run_at !== null && (
                      <span>
                        {t('last_run')} <Moment at={last_run_at} />
                      </span>
                    )}
                  </p>
                  {last_error !== null && (
                    <p className="text-sm wrap-anywhere text-bad">{last_error}</p>
                  )}
                </li>
              ),
            )}
          </ul>
        )
      }
    </QueryState>
  )
}

function Secrets({ id }: { id: string }) {
  const t = useTexts(appTexts)
  const scope = useProjectScope()
  const query = useQuery(secretsQuery(scope, id))
  const remove = useAct({
    run: (name: string) => putSecrets(scope, id, { [name]: null }),
    done: t('secret_removed'),
    refresh: [appsKey(scope)],
  })
  return (
    <div className="flex flex-col gap-5">
      <QueryState query={query}>
        {(secrets) =>
          secrets.length === 0 ? (
            <p className="text-muted">{t('no_secrets')}</p>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {secrets.map(({ name, updated_at }) => (
                <li key={name} className="flex flex-wrap items-center gap-3 py-2">
                  <code className="min-w-0 flex-1 font-mono wrap-anywhere">{name}</code>
                  <span className="text-sm text-muted">
                    {t('changed')} <Moment at={updated_at} />
                  </span>
                  {scope.may('admin') && (
                    <Button
                      kind="ghost"
                      size="icon"
                      aria-label={`${t('remove')} ${name}`}
                      onClick={() => remove.mutate(name)}
                    >
                      <Trash2 aria-hidden="true" />
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
      {scope.may('admin') && <SecretForm id={id} />}
    </div>
  )
}

function SecretForm({ id }: { id: string }) {
  const t = useTexts(appTexts)
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
    <form onSubmit={send} className="grid items-start gap-4 sm:grid-cols-[1fr_1fr_auto]">
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
  const t = useTexts(appTexts)
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
