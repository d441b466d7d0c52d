/** Asks before a page with unsaved changes is left. */
import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../../../language/texts.ts'
import { AlertDialog } from '../../../ui/overlays/alert-dialog.tsx'
import { planTexts } from './texts.ts'

export function LeaveQuestion({ isChanged }: { isChanged: boolean }) {
  const t = useTexts(planTexts)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  return (
    <AlertDialog
      open={status === 'blocked'}
      onOpenChange={() => reset?.()}
      title={t('leave_title')}
      about={t('leave_about')}
      action={t('leave')}
      onConfirm={() => proceed?.()}
    />
  )
}
