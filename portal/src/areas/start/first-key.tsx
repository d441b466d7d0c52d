/** Creates a test key with one click, and shows it once with a request that uses it. */
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { createKey, keysKey } from '../keys/queries.ts'
import { ShownKey } from '../keys/shown-key.tsx'
import { startTexts } from './texts.ts'

export function FirstKey() {
  const t = useTexts(startTexts)
  const scope = useProjectScope()
  const [key, setKey] = useState<string | null>(null)
  const mode = scope.project.shape === 'live' ? 'live' : 'test'
  const act = useAct({
    run: () => createKey(scope, { name: t('key_name'), mode, scopes: 'full' }),
    refresh: [keysKey(scope)],
    onDone: (made) => setKey(made.key),
  })
  if (key !== null) {
    return (
      <div className="flex flex-col gap-4">
        <p className="text-sm text-warn">{t('key_once')}</p>
        <ShownKey value={key} />
      </div>
    )
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-muted">{t('key_about')}</p>
      <Button kind="primary" busy={act.isPending} onClick={() => act.mutate(undefined)}>
        <KeyRound aria-hidden="true" />
        {t('key_create')}
      </Button>
    </div>
  )
}
