/** Releases a test number after it was typed, or says why a real one stays. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
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
  const [asks, setAsks] = useState(false)
  const act = useAct({
    run() {
      onReleasing(true)
      return releaseNumber(scope, id)
    },
    done: t('released'),
    async onDone() {
      await navigate({ to: scope.link('/numbers'), ignoreBlocker: true })
    },
    refresh: numberLists(scope),
    onFault() {
      onReleasing(false)
      return false
    },
  })
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
        <Button kind="danger" onClick={() => setAsks(true)}>
          {t('release')}
        </Button>
      </div>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('release_title', { number: e164 })}
        about={t('release_about')}
        action={t('release')}
        busy={act.isPending}
        typed={{ text: e164, label: t('release_type', { number: e164 }) }}
        onConfirm={() => act.mutate(undefined)}
      />
    </Card>
  )
}
