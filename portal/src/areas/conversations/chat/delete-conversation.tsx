/** Deletes a conversation, or its summary alone. */
import { useNavigate } from '@tanstack/react-router'
import { ConfirmedAct } from '../../../api/confirmed-act.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { conversationsKey, deleteConversation, deleteSummary } from '../queries.ts'
import { useInboxTexts } from '../texts.ts'

export function DeleteConversation({ id }: { id: string }) {
  const t = useInboxTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  if (!scope.may('member')) return null
  return (
    <ConfirmedAct
      text={t('delete')}
      title={t('delete_title')}
      about={t('delete_about')}
      run={() => deleteConversation(scope, id)}
      done={t('deleted')}
      onDone={() => void navigate({ to: scope.link('/conversations') })}
      refresh={[[...conversationsKey(scope), 'all']]}
    />
  )
}

export function DeleteSummary({ id }: { id: string }) {
  const t = useInboxTexts()
  const scope = useProjectScope()
  if (!scope.may('member')) return null
  return (
    <ConfirmedAct
      text={t('delete_summary')}
      title={t('delete_summary_title')}
      about={t('delete_summary_about')}
      run={() => deleteSummary(scope, id)}
      done={t('summary_deleted')}
      refresh={[conversationsKey(scope)]}
    />
  )
}
