/** Verifications that operators review. */
import { queryOptions } from '@tanstack/react-query'
import { api, read, type Schemas } from '../../../api/client.ts'
import { operatorKey } from '../queries.ts'

export type Verification = Schemas['OperatorVerification']
export type Detail = Schemas['OperatorVerificationDetail']

export function verificationsQuery(open: boolean) {
  return queryOptions({
    queryKey: [...operatorKey, 'verifications', open],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/operator/verifications', { params: { query: { open } }, signal })))
        .data,
  })
}

export function detailQuery(id: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'verification', id],
    queryFn: ({ signal }) =>
      read(api.GET('/operator/verifications/{id}', { params: { path: { id } }, signal })),
  })
}

export interface Decision {
  decision: 'approved' | 'rejected'
  reason?: string
  ask_again?: string[]
}

export function decide(id: string, body: Decision) {
  const params = { path: { id } }
  return read(api.POST('/operator/verifications/{id}/decide', { params, body }))
}

export function toDocumentUrl(id: string): string {
  return `/portal/api/v1/operator/verification-documents/${id}`
}
