/** The page of messages with one message open, as links in replies to assistants name it. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ProblemState } from '../../api/query-state.tsx'
import { MessageDrawer } from './message-drawer.tsx'
import { Page as MessagesPage } from './messages-page.tsx'
import { messageQuery } from './queries.ts'

export function Page() {
  const scope = useProjectScope()
  const { id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(messageQuery(scope, id))
  const close = () => void navigate({ to: scope.link('/messages') })
  return (
    <>
      {error !== null && (
        <div className="mb-6">
          <ProblemState error={error} onRetry={() => void refetch()} />
        </div>
      )}
      <MessagesPage />
      <MessageDrawer message={data ?? null} onClose={close} onReply={close} />
    </>
  )
}
