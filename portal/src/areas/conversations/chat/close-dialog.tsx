/** Asks before a conversation is closed, because it cannot be opened again. */
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { AlertDialog } from '../../../ui/overlays/alert-dialog.tsx'
import { closeConversation, conversationsKey } from '../queries.ts'
import { inboxTexts } from '../texts.ts'

export interface CloseDialogProps {
  id: string
  open: boolean
  onOpenChange(open: boolean): void
}

export function CloseDialog({ id, open, onOpenChange }: CloseDialogProps) {
  const t = useTexts(inboxTexts)
  const scope = useProjectScope()
  const act = useAct({
    run: () => closeConversation(scope, id),
    done: t('closed'),
    refresh: [conversationsKey(scope)],
    onDone: () => onOpenChange(false),
  })
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('close_title')}
      about={t('close_about')}
      action={t('close')}
      busy={act.isPending}
      onConfirm={() => act.mutate(undefined)}
    />
  )
}
