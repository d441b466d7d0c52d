/** The list of calls with one call open, as mails and assistants link it. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ProblemState } from '../../api/query-state.tsx'
import { CallDrawer } from './call-drawer.tsx'
import { Page as CallsPage } from './calls-page.tsx'
import { callQuery } from './queries.ts'

export function Page() {
  const scope = useProjectScope()
  const { id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { error, refetch } = useQuery(callQuery(scope, id))
  const close = () => void navigate({ to: scope.link('/calls') })
  return (
    <>
      {error !== null && (
        <div className="mb-6">
          <ProblemState error={error} onRetry={() => void refetch()} />
        </div>
      )}
      <CallsPage />
      <CallDrawer id={error === null ? id : null} onClose={close} />
    </>
  )
}
