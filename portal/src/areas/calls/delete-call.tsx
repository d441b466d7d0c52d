/** Deletes a call with everything that was said, or its summary alone. */
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ConfirmedButton } from '../../ui/actions/confirmed-button.tsx'
import { callQuery, callsKey, deleteCall, deleteCallSummary } from './queries.ts'
import { useCallTexts } from './texts.ts'

export function DeleteCall({ id, onDone }: { id: string; onDone(): void }) {
  const t = useCallTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: () => deleteCall(scope, id),
    done: t('deleted'),
    refresh: [[...callsKey(scope), 'all']],
    onDone,
  })
  if (!scope.may('member')) return null
  return (
    <ConfirmedButton
      text={t('delete')}
      title={t('delete_title')}
      about={t('delete_about')}
      busy={act.isPending}
      onConfirm={() => act.mutate(undefined)}
    />
  )
}

export function DeleteCallSummary({ id }: { id: string }) {
  const t = useCallTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: () => deleteCallSummary(scope, id),
    done: t('summary_deleted'),
    refresh: [callQuery(scope, id).queryKey, [...callsKey(scope), 'all']],
  })
  if (!scope.may('member')) return null
  return (
    <ConfirmedButton
      text={t('delete_summary')}
      title={t('delete_summary_title')}
      about={t('delete_summary_about')}
      busy={act.isPending}
      onConfirm={() => act.mutate(undefined)}
    />
  )
}
