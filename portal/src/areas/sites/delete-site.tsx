/** The dialog that deletes a site after the person has typed its address. */
import { useNavigate } from '@tanstack/react-router'
import { ConfirmedAct } from '../../api/confirmed-act.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { deleteSite, sitesKey, type Site } from './queries.ts'
import { useSiteTexts } from './texts.ts'

export function DeleteSite({ site: { id, title, slug } }: { site: Site }) {
  const t = useSiteTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  return (
    <Card title={t('delete')} className="border-bad/40">
      <div className="flex flex-wrap items-center gap-4">
        <p className="min-w-60 flex-1 text-muted">{t('delete_about')}</p>
        <ConfirmedAct
          title={t('delete_title', { title })}
          about={t('delete_about')}
          text={t('delete')}
          typed={{ text: slug, label: t('type_slug', { slug }) }}
          run={() => deleteSite(scope, id)}
          done={t('deleted')}
          onDone={async () => {
            await navigate({ to: scope.link('/sites') })
          }}
          refresh={[[...sitesKey(scope), 'list']]}
          button={(ask) => (
            <Button kind="danger" onClick={ask}>
              {t('delete')}
            </Button>
          )}
        />
      </div>
    </Card>
  )
}
