/** The deleted projects that the person can restore. */
import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { deletedProjectsQuery } from '../../api/session.ts'
import { useFormat } from '../../language/format.ts'
import { ProjectInitial } from '../../shell/project-switcher.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { useProjectTexts } from './texts.ts'

export function DeletedProjects() {
  const t = useProjectTexts()
  const format = useFormat()
  const { data = [] } = useQuery(deletedProjectsQuery)
  const act = useAct({
    run: (project_id: string) =>
      read(
        api.POST('/deleted-projects/{project_id}/restore', { params: { path: { project_id } } }),
      ),
    done: t('restored'),
    refresh: [['projects'], ['deleted-projects']],
  })
  if (data.length === 0) return null
  return (
    <Card flush title={t('deleted')} about={t('deleted_about')} className="mt-6">
      <ul className="divide-y divide-line">
        {data.map(({ id, name, kept_until }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3.5 gap-y-2 px-5 py-4">
            <ProjectInitial name={name} />
            <span className="min-w-40 flex-1">
              <span className="block truncate font-medium">{name}</span>
              <span className="block text-sm text-muted">
                {t('removed_on', { date: format.date(kept_until) })}
              </span>
            </span>
            <Button
              size="sm"
              aria-label={t('restore_project', { name })}
              busy={act.isPending && act.variables === id}
              onClick={() => act.mutate(id)}
            >
              {t('restore')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
