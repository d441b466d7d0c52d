/** Downloads the whole project as one file. */
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { exportProject } from './queries.ts'
import { settingsTexts } from './texts.ts'

export function ExportCard() {
  const t = useTexts(settingsTexts)
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
