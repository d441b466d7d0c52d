/** The URL and the secret with which other programs start the agent. */
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { readUrl } from './queries.ts'
import { agentTexts } from './texts.ts'

export function UrlCard({ id }: { id: string }) {
  const t = useTexts(agentTexts)
  const scope = useProjectScope()
  const show = useAct({ run: (rotate: boolean) => readUrl(scope, id, rotate) })
  return (
    <Card title={t('url')} about={t('url_about')}>
      {show.data === undefined ? (
        <Button busy={show.isPending} onClick={() => show.mutate(false)}>
          {t('url_show')}
        </Button>
      ) : (
        <div className="flex flex-col items-start gap-3">
          <CodeBlock label="URL" code={show.data.url} />
          <CodeBlock label={t('secret')} code={show.data.secret} />
          <Button busy={show.isPending} onClick={() => show.mutate(true)}>
            {t('url_rotate')}
          </Button>
          {show.variables && <p role="status">{t('url_rotated')}</p>}
        </div>
      )}
    </Card>
  )
}
