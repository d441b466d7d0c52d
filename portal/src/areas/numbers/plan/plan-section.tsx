/** Loads the call plan of a number and the fields of its steps, then shows the editor. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import type { NumberDetails } from '../queries.ts'
import { Editor } from './editor.tsx'
import { planQuery, schemasQuery } from './queries.ts'

export function PlanSection({ number }: { number: NumberDetails }) {
  const scope = useProjectScope()
  const plan = useQuery(planQuery(scope, number.id))
  const schemas = useQuery(schemasQuery(scope))
  const loading = <Skeleton className="h-140 w-full" />
  return (
    <QueryState query={plan} loading={loading}>
      {(stored) => (
        <QueryState query={schemas} loading={loading}>
          {(known) => <Editor number={number} stored={stored} schemas={known} />}
        </QueryState>
      )}
    </QueryState>
  )
}
