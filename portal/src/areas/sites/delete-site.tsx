/** The dialog that deletes a site after the person has typed its address. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { deleteSite, sitesKey, type Site } from './queries.ts'
import { useSiteTexts } from './texts.ts'

export function DeleteSite({ site: { id, title, slug } }: { site: Site }) {
  const t = useSiteTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const act = useAct({
    run: () => deleteSite(scope, id),
    done: t('deleted'),
    async onDone() {
      await navigate({ to: scope.link('/sites') })
    },
    refresh: [[...sitesKey(scope), 'list']],
  })
  return (
    <Card title={t('delete')} className="border-bad/40">
      <div className="flex flex-wrap items-center gap-4">
        <p className="min-w-60 flex-1 text-muted">{t('delete_about')}</p>
        <Button kind="danger" onClick={() => setAsks(true)}>
          {t('delete')}
        </Button>
      </div>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('delete_title', { title })}
        about={t('delete_about')}
        action={t('delete')}
        busy={act.isPending}
        typed={{ text: slug, label: t('type_slug', { slug }) }}
        onConfirm={() => act.mutate(undefined)}
      />
    </Card>
  )
}
