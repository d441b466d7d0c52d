/** Requests that place, end and take over calls, and the consents to advertising calls. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Scope } from '../../../api/client.ts'
import { callsKey } from '../queries.ts'

export interface CallDraft {
  to: string
  purpose: 'transactional' | 'marketing'
  instructions: string
  /** The first words; empty: the greeting of the assistant. */
  opening: string
  /** Empty: any number of the project. */
  from_number_id: string
  minutes: number
}

const e164 = /^\+[1-9][0-9]{6,14}$/

export function isPhone(text: string): boolean {
  return e164.test(text)
}

function bodyOf({ to, purpose, instructions, opening, from_number_id, minutes }: CallDraft) {
  return {
    to,
    purpose,
    instructions,
    ...(opening.trim() !== '' && { opening: opening.trim() }),
    ...(from_number_id !== '' && { from_number_id }),
    max_duration_sec: minutes * 60,
  }
}

/** What the assistant would say first, and the price. Nobody is called. */
export function previewQuery(scope: Scope, draft: CallDraft) {
  const params = inProject(scope)
  const { to, instructions: _instructions, ...rest } = bodyOf(draft)
  const body = { ...rest, ...(isPhone(to) && { to }) }
  return queryOptions({
    queryKey: [...callsKey(scope), 'preview', body],
    queryFn: ({ signal }) =>
      read(api.POST('/projects/{project_id}/calls/preview/query', { params, body, signal })),
    placeholderData: keepPreviousData,
  })
}

export function placeCall(scope: Scope, { draft, key }: { draft: CallDraft; key: string }) {
  const { path, header } = inProject(scope)
  const params = { path, header: { ...header, 'Idempotency-Key': key } }
  return read(api.POST('/projects/{project_id}/calls', { params, body: bodyOf(draft) }))
}

function ofCall(scope: Scope, id: string) {
  const { path, header } = inProject(scope)
  return { path: { ...path, id }, header }
}

export function hangUpCall(scope: Scope, id: string) {
  const params = ofCall(scope, id)
  return read(api.POST('/projects/{project_id}/calls/{id}/hangup', { params }))
}

export function transferCall(scope: Scope, id: string, to: string) {
  const params = ofCall(scope, id)
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

export function addConsent(scope: Scope, given: { phone: string; source: string }) {
  const params = inProject(scope)
  return read(api.POST('/projects/{project_id}/call-consents', { params, body: given }))
}

export function removeConsent(scope: Scope, id: string) {
  const params = ofCall(scope, id)
  return read(api.DELETE('/projects/{project_id}/call-consents/{id}', { params }))
}
