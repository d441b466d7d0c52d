/** Deletes a file, unless a site shows it. */
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { AlertDialog } from '../../../ui/overlays/alert-dialog.tsx'
import { deleteFile, mediaKey, type Media } from '../queries.ts'
import { mediaTexts } from '../texts.ts'

export function DeleteFile({ file, onDone }: { file: Media; onDone(): void }) {
  const t = useTexts(mediaTexts)
  const scope = useProjectScope()
  const [asks, setAsks] = useState(false)
  const isUsed = file.used_on.length > 0
  const act = useAct({
    run: () => deleteFile(scope, file.id),
    done: t('deleted'),
    refresh: [[...mediaKey(scope), 'list']],
    onDone,
  })
  return (
    <>
      <Button
        kind="ghost"
        className="ml-auto"
        disabled={isUsed}
        title={isUsed ? t('delete_used') : undefined}
        onClick={() => setAsks(true)}
      >
        {t('delete')}
      </Button>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('delete_title', { count: 1 })}
        about={t('delete_about')}
        action={t('delete')}
        busy={act.isPending}
        onConfirm={() => act.mutate(undefined)}
      />
    </>
  )
}
