/** Shows the result of a query: its skeleton, its error, or its data. */
import {
  useQuery,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../ui/states/error-state.tsx'
import { SkeletonRows } from '../ui/states/skeleton.tsx'
import { ApiProblem } from './client.ts'

export interface QueryStateProps<Data> {
  query: UseQueryResult<Data>
  loading?: ReactNode
  children(data: Data): ReactNode
}

export function QueryState<Data>({ query, loading, children }: QueryStateProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error === null) return loading ?? <SkeletonRows />
  return (
    <div className="p-5">
      <ProblemState error={query.error} onRetry={() => void query.refetch()} />
    </div>
  )
}

export interface LoadedProps<Data, Key extends QueryKey> {
  query: UseQueryOptions<Data, Error, Data, Key>
  children(data: Data): ReactNode
}

/** Reads what is shown only here, such as the record of a drawer. */
export function Loaded<Data, Key extends QueryKey>({ query, children }: LoadedProps<Data, Key>) {
  return <QueryState query={useQuery(query)}>{children}</QueryState>
}

export function ProblemState({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const problem =
    error instanceof ApiProblem
      ? error
      : { user_message: error.message, next_step: null, request_id: null, plan_url: null }
  return (
    <ErrorState
      user_message={problem.user_message}
      next_step={problem.next_step}
      request_id={problem.request_id}
      plan_url={problem.plan_url}
      {...(onRetry && { onRetry })}
    />
  )
}
