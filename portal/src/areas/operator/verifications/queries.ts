/** Verifications that operators review. */
import { queryOptions } from '@tanstack/react-query'
import { reach } from '../../../api/batch.ts'
import { api, ApiProblem, read, type Schemas } from '../../../api/client.ts'
import { saveFile } from '../../../work/save-file.ts'
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

/** A link would save a refusal as the document. */
export async function saveDocument(id: string): Promise<void> {
  const response = await reach(`/portal/api/v1/operator/verification-documents/${id}`)
  if (!response.ok) {
    throw new ApiProblem(await response.json().catch(() => ({})), response.status)
  }
  const disposition = response.headers.get('content-disposition') ?? ''
  const filename = /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'document'
  saveFile({ blob: await response.blob(), filename })
}
