/** Deletes a conversation, or its summary alone. */
import { useNavigate } from '@tanstack/react-router'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { ConfirmedButton } from '../../../ui/actions/confirmed-button.tsx'
import { conversationsKey, deleteConversation, deleteSummary } from '../queries.ts'
import { useInboxTexts } from '../texts.ts'

export function DeleteConversation({ id }: { id: string }) {
  const t = useInboxTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const act = useAct({
    run: () => deleteConversation(scope, id),
    done: t('deleted'),
    onDone: () => void navigate({ to: scope.link('/conversations') }),
    refresh: [[...conversationsKey(scope), 'all']],
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

export function DeleteSummary({ id }: { id: string }) {
  const t = useInboxTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: () => deleteSummary(scope, id),
    done: t('summary_deleted'),
    refresh: [conversationsKey(scope)],
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
