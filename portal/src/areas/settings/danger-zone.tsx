/** Leaving and deleting the project, each after its name is typed. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { meQuery } from '../../api/session.ts'
import { Button } from '../../ui/actions/button.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { removeMember } from '../team/queries.ts'
import { deleteProject } from './queries.ts'
import { useSettingsTexts } from './texts.ts'

export function DangerZone() {
  const t = useSettingsTexts()
  const { may } = useProjectScope()
  return (
    <section className="rounded-xl border border-bad/40 bg-surface shadow-card">
      <h2 className="px-5 pt-4 text-lg font-semibold tracking-tight text-bad">{t('danger')}</h2>
      <ul className="divide-y divide-line">
        <Leave />
        {may('owner') && <Delete />}
      </ul>
    </section>
  )
}

function Leave() {
  const t = useSettingsTexts()
  const scope = useProjectScope()
  const { data: me } = useQuery(meQuery)
  return (
    <DangerousAct
      title={t('leave')}
      about={t('leave_about')}
      action={t('leave_action')}
      done={t('left')}
      run={() => removeMember(scope, me?.person.id ?? '')}
    />
  )
}

function Delete() {
  const t = useSettingsTexts()
  const scope = useProjectScope()
  return (
    <DangerousAct
      title={t('delete')}
      about={t('delete_about')}
      action={t('delete_action')}
      done={t('deleted')}
      run={() => deleteProject(scope, scope.project.name)}
    />
  )
}

interface DangerousActProps {
  title: string
  about: ReactNode
  action: string
  done: string
  run(): Promise<unknown>
}

/** Leads to the list of projects when it is done. */
function DangerousAct({ title, about, action, done, run }: DangerousActProps) {
  const t = useSettingsTexts()
  const { project } = useProjectScope()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const act = useAct({
    run,
    done,
    async onDone() {
      await navigate({ to: '/' })
    },
    refresh: [['projects'], ['deleted-projects']],
  })
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-56 flex-1">
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-muted">{about}</p>
      </div>
      <Button kind="danger" onClick={() => setAsks(true)}>
        {action}
      </Button>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={`${title}?`}
        about={about}
        action={action}
        busy={act.isPending}
        typed={{ text: project.name, label: t('type_name', { name: project.name }) }}
        onConfirm={() => {
          setAsks(false)
          act.mutate(undefined)
        }}
      />
    </li>
  )
}
