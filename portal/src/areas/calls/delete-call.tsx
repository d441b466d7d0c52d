/** Deletes a call with everything that was said. */
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { callsKey, deleteCall } from './queries.ts'
import { callTexts } from './texts.ts'

export function DeleteCall({ id, onDone }: { id: string; onDone(): void }) {
  const t = useTexts(callTexts)
  const scope = useProjectScope()
  const [asks, setAsks] = useState(false)
  const act = useAct({
    run: () => deleteCall(scope, id),
    done: t('deleted'),
    refresh: [[...callsKey(scope), 'all']],
    onDone,
  })
  if (!scope.may('member')) return null
  return (
    <>
      <Button kind="ghost" className="self-start" onClick={() => setAsks(true)}>
        <Trash2 aria-hidden="true" />
        {t('delete')}
      </Button>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('delete_title')}
        about={t('delete_about')}
        action={t('delete')}
        busy={act.isPending}
        onConfirm={() => act.mutate(undefined)}
      />
    </>
  )
}
