/** The actions on the selected files. */
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ApiProblem } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { say, sayFault } from '../../ui/overlays/toast.tsx'
import { deleteFile, mediaKey, type Media } from './queries.ts'
import { mediaTexts } from './texts.ts'

export interface SelectionActionsProps {
  files: readonly Media[]
  onClear(): void
}

export function SelectionActions({ files, onClear }: SelectionActionsProps) {
  const t = useTexts(mediaTexts)
  const scope = useProjectScope()
  const [asks, setAsks] = useState(false)
  const act = useAct({
    run: () => deleteAll(files, (id) => deleteFile(scope, id)),
    refresh: [mediaKey(scope)],
    onDone({ kept }) {
      setAsks(false)
      onClear()
      if (kept === 0) say(t('deleted'))
      else sayFault(t('kept', { count: kept }), t('kept_about'))
    },
  })
  if (files.length === 0) return null
  return (
    <div className="pointer-events-none sticky bottom-4 z-20 mt-4 flex justify-center">
      <div className="pointer-events-auto flex items-center gap-2 rounded-xl bg-raised py-2 pr-2 pl-4 shadow-pop">
        <span className="mr-2 font-medium" role="status">
          {t('selected', { count: files.length })}
        </span>
        <Button size="sm" onClick={onClear}>
          {t('clear')}
        </Button>
        <Button size="sm" kind="danger" onClick={() => setAsks(true)}>
          <Trash2 aria-hidden="true" />
          {t('delete')}
        </Button>
      </div>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('delete_title', { count: files.length })}
        about={t('delete_about')}
        action={t('delete')}
        busy={act.isPending}
        onConfirm={() => act.mutate(undefined)}
      />
    </div>
  )
}

/** Deletes the files. A file that a site shows is refused and stays. */
async function deleteAll(files: readonly Media[], remove: (id: string) => Promise<unknown>) {
  let kept = 0
  for (const { id } of files) {
    try {
      await remove(id)
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.slug !== 'conflict') throw error
      kept += 1
    }
  }
  return { kept }
}
