/** The address of one conversation, as assistants link it: the inbox with that conversation open. */
import { Navigate, useParams } from '@tanstack/react-router'
import { useProjectScope } from '../../api/project-scope.tsx'

export function Page() {
  const { link } = useProjectScope()
  const { id = '' } = useParams({ strict: false })
  return <Navigate to={link('/conversations')} hash={id} replace />
}
