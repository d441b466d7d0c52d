/** Requests that place, end and take over calls, and the consents to advertising calls. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { callsKey } from '../queries.ts'

export type NewCall = Schemas['CallsPlaceBody']

const e164 = /^\+[1-9][0-9]{6,14}$/

export function isPhone(text: string): boolean {
  return e164.test(text)
}

/** What the assistant would say first, and the price. Nobody is called. */
export function previewQuery(scope: Scope, draft: Partial<NewCall>) {
  const params = inProject(scope)
  const { to, from_number_id, opening, purpose = 'transactional', max_duration_sec = 300 } = draft
  const body = {
    purpose,
    max_duration_sec,
    ...(to !== undefined && { to }),
    ...(from_number_id !== undefined && { from_number_id }),
    ...(opening !== undefined && { opening }),
  }
  return queryOptions({
    queryKey: [...callsKey(scope), 'preview', body],
    queryFn: ({ signal }) =>
      read(api.POST('/projects/{project_id}/calls/preview/query', { params, body, signal })),
    placeholderData: keepPreviousData,
  })
}

export function placeCall(scope: Scope, body: NewCall, key: string) {
  const { path, header } = inProject(scope)
  const params = { path, header: { ...header, 'Idempotency-Key': key } }
  return read(api.POST('/projects/{project_id}/calls', { params, body }))
}

export function hangUpCall(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/calls/{id}/hangup', { params }))
}

export function transferCall(scope: Scope, id: string, to: string) {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/calls/{id}/transfer', { params, body: { to } }))
}

export function consentsQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: [...callsKey(scope), 'consents'],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/call-consents', { params, signal })),
  })
}

export type NewConsentBody = Schemas['CallsRecordConsentBody']

export function addConsent(scope: Scope, body: NewConsentBody) {
  const params = inProject(scope)
  return read(api.POST('/projects/{project_id}/call-consents', { params, body }))
}

export function removeConsent(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/call-consents/{id}', { params }))
}
