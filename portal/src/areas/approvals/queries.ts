/** Requests about approvals: operations of assistants that a person approves or rejects. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { pollEvery } from '../../api/live.ts'
import type { Language } from '../../language/texts.ts'

export type Approval = Schemas['Approval']
export type ListedApproval = Schemas['ApprovalSummary']
export type ApprovalStatus = ListedApproval['status']

/** Describes the operation of an approval. */
export function aboutIn(
  language: Language,
  { about, about_nl }: Pick<ListedApproval, 'about' | 'about_nl'>,
): string {
  return language === 'nl' ? about_nl : about
}

const PAGE_SIZE = 50
/** New approvals appear without a reload. The interval costs little of the rate limit. */
const REFRESH_MS = 15_000

export function approvalsKey({ project_id, mode }: Scope) {
  return ['approvals', project_id, mode] as const
}

export function approvalsQuery(scope: Scope, status?: ApprovalStatus) {
  return queryOptions({
    queryKey: [...approvalsKey(scope), status ?? 'all'],
    queryFn: ({ signal }) =>
      read(
        api.GET('/projects/{project_id}/approvals', {
          params: {
            ...inProject(scope),
            query: { limit: PAGE_SIZE, ...(status && { status }) },
          },
          signal,
        }),
      ),
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function approvalQuery(scope: Scope, id: string) {
  return queryOptions({
    queryKey: [...approvalsKey(scope), 'one', id],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/approvals/{id}', placeOf(scope, id, signal))),
  })
}

function placeOf(scope: Scope, id: string, signal: AbortSignal) {
  return { params: inProject(scope, { id }), signal }
}

export function editArguments(
  scope: Scope,
  { id, input_hash }: Approval,
  given: Record<string, unknown>,
) {
  const { path, header } = inProject(scope)
  return read<Approval>(
    api.PUT('/projects/{project_id}/approvals/{id}/arguments', {
      params: { path: { ...path, id }, header },
      body: { input_hash, arguments: given },
    }),
  )
}

export interface Decision {
  id: string
  input_hash: string
  note: string
}

export function decide(scope: Scope, approves: boolean, { id, input_hash, note }: Decision) {
  const { path, header } = inProject(scope)
  const given = {
    params: { path: { ...path, id }, header },
    body: { input_hash, ...(note.trim() !== '' && { note: note.trim() }) },
  }
  return read<Approval>(
    approves
      ? api.POST('/projects/{project_id}/approvals/{id}/approve', given)
      : api.POST('/projects/{project_id}/approvals/{id}/reject', given),
  )
}
