/** The settings of a project: its name, the limits of its plan, and how it ends. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Button, ButtonLink } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { UsageBars } from '../../ui/display/usage-bars.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { renameProject } from '../projects/name-dialogs.tsx'
import { DangerZone } from './danger-zone.tsx'
import { usageQuery, exportProject } from './queries.ts'
import { useSettingsTexts } from './texts.ts'

export function Page() {
  const t = useSettingsTexts()
  const scope = useProjectScope()
  const usage = useQuery(usageQuery(scope))
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title={t('title')} about={t('about')} />
      <div className="flex flex-col gap-6">
        <General />
        <Card
          title={t('limits')}
          about={usage.data && t('limits_about', { plan: usage.data.plan })}
          aside={
            <ButtonLink size="sm" to={scope.link('/billing/plan')}>
              {t('plan')}
            </ButtonLink>
          }
        >
          <QueryState query={usage}>
            {({ limits }) => (
              <UsageBars
                bars={limits.map(({ name, ...limit }) => ({
                  ...limit,
                  key: name,
                  label: t(`limit_${name}`),
                  is_bytes: name.endsWith('bytes'),
                }))}
              />
            )}
          </QueryState>
        </Card>
        {scope.may('owner') && <ExportCard />}
        <DangerZone />
      </div>
    </div>
  )
}

const NAME_MAX = 200

function General() {
  const t = useSettingsTexts()
  const format = useFormat()
  const { project, may } = useProjectScope()
  const [name, setName] = useState(project.name)
  const act = useAct({
    run: () => renameProject(project.id, name),
    done: t('renamed'),
    refresh: [['projects']],
  })
  const isChanged = name.trim() !== '' && name.trim() !== project.name
  return (
    <Card title={t('general')}>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={submit(() => {
          if (isChanged) act.mutate(undefined)
        })}
      >
        <div className="min-w-56 flex-1">
          <Field label={t('name')}>
            <Input
              autoComplete="organization"
              maxLength={NAME_MAX}
              disabled={!may('admin')}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </Field>
        </div>
        {may('admin') && (
          <Button type="submit" kind="primary" busy={act.isPending} disabled={!isChanged}>
            {t('save')}
          </Button>
        )}
      </form>
      <div className="mt-6 border-t border-line pt-5">
        <Facts
          facts={[
            [
              t('id'),
              <span key="id" className="flex items-center gap-1">
                <code className="font-mono text-sm break-all">{project.id}</code>
                <CopyButton text={project.id} />
              </span>,
            ],
            [t('created'), format.date(project.created_at)],
          ]}
        />
      </div>
    </Card>
  )
}

/** Downloads the whole project as one file. */
function ExportCard() {
  const t = useSettingsTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: () => exportProject(scope),
    done: t('export_started'),
    onDone({ url }) {
      location.assign(url)
    },
  })
  return (
    <Card
      title={t('export')}
      about={t('export_about')}
      aside={
        <Button size="sm" busy={act.isPending} onClick={() => act.mutate(undefined)}>
          {t('export_action')}
        </Button>
      }
    >
      <p className="text-sm text-muted">{t('export_not_included')}</p>
    </Card>
  )
}
