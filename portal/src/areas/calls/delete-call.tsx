/** Deletes a call with everything that was said, or its summary alone. */
import { ConfirmedAct } from '../../api/confirmed-act.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { callQuery, callsKey, deleteCall, deleteCallSummary } from './queries.ts'
import { useCallTexts } from './texts.ts'

export function DeleteCall({ id, onDone }: { id: string; onDone(): void }) {
  const t = useCallTexts()
  const scope = useProjectScope()
  if (!scope.may('member')) return null
  return (
    <ConfirmedAct
      text={t('delete')}
      title={t('delete_title')}
      about={t('delete_about')}
      run={() => deleteCall(scope, id)}
      done={t('deleted')}
      refresh={[[...callsKey(scope), 'all']]}
      onDone={onDone}
    />
  )
}

export function DeleteCallSummary({ id }: { id: string }) {
  const t = useCallTexts()
  const scope = useProjectScope()
  if (!scope.may('member')) return null
  return (
    <ConfirmedAct
      text={t('delete_summary')}
      title={t('delete_summary_title')}
      about={t('delete_summary_about')}
      run={() => deleteCallSummary(scope, id)}
      done={t('summary_deleted')}
      refresh={[callQuery(scope, id).queryKey, [...callsKey(scope), 'all']]}
    />
  )
}
