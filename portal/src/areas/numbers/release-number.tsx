/** Releases a test number after it was typed, or says why a real one stays. */
import { useNavigate } from '@tanstack/react-router'
import { ConfirmedAct } from '../../api/confirmed-act.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { numberLists, releaseNumber, type NumberDetails } from './queries.ts'
import { useNumberTexts } from './texts.ts'

export interface ReleaseNumberProps {
  number: NumberDetails
  onReleasing(isReleasing: boolean): void
}

export function ReleaseNumber({ number: { id, e164, test }, onReleasing }: ReleaseNumberProps) {
  const t = useNumberTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  if (!test) {
    return (
      <Card title={t('release')}>
        <p className="max-w-2xl text-muted">{t('live_stays')}</p>
      </Card>
    )
  }
  return (
    <Card title={t('release')} className="border-bad/40">
      <div className="flex flex-wrap items-center gap-4">
        <p className="min-w-60 flex-1 text-muted">{t('release_about')}</p>
        <ConfirmedAct
          title={t('release_title', { number: e164 })}
          about={t('release_about')}
          text={t('release')}
          typed={{ text: e164, label: t('release_type', { number: e164 }) }}
          run={() => {
            onReleasing(true)
            return releaseNumber(scope, id)
          }}
          done={t('released')}
          onDone={async () => {
            await navigate({ to: scope.link('/numbers'), ignoreBlocker: true })
          }}
          refresh={numberLists(scope)}
          onFault={() => {
            onReleasing(false)
            return false
          }}
          button={(ask) => (
            <Button kind="danger" onClick={ask}>
              {t('release')}
            </Button>
          )}
        />
      </div>
    </Card>
  )
}
