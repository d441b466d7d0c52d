/** Deletes the account, after the person has typed their email address. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormAct } from '../../api/form-act.ts'
import { projectsQuery } from '../../api/session.ts'
import { Button } from '../../ui/actions/button.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { deleteAccount } from './queries.ts'
import { useOwnTexts } from './own-texts.ts'

export function DeleteAccount({ email }: { email: string }) {
  const t = useOwnTexts()
  const [asks, setAsks] = useState(false)
  const { data: projects = [] } = useQuery(projectsQuery)
  const owned = projects.filter(({ role }) => role === 'owner')
  const { act, fault } = useFormAct({
    run: () => deleteAccount(email),
    onDone: () => location.assign('/portal/sign-in'),
  })
  return (
    <section className="rounded-xl border border-bad/40 bg-surface p-5 shadow-card">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="min-w-56 flex-1">
          <h2 className="text-lg font-semibold tracking-tight text-bad">{t('delete')}</h2>
          <p className="text-sm text-muted">{t('delete_about')}</p>
          {owned.length > 0 && (
            <p className="mt-1 text-sm text-muted">
              {t('delete_owned', { projects: owned.map(({ name }) => name).join(', ') })}
            </p>
          )}
        </div>
        <Button kind="danger" onClick={() => setAsks(true)}>
          {t('delete_action')}
        </Button>
      </div>
      {fault !== undefined && (
        <p role="alert" className="mt-3 text-sm text-bad">
          {fault}
        </p>
      )}
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('delete_title')}
        about={t('delete_about')}
        action={t('delete_action')}
        busy={act.isPending}
        typed={{ text: email, label: t('delete_typed', { email }) }}
        onConfirm={() => {
          setAsks(false)
          act.mutate(undefined)
        }}
      />
    </section>
  )
}
