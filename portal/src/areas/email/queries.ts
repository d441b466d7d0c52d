/** Email: the module, sent emails, sending domains, addresses and the outbox. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'
import { pollEvery } from '../../api/live.ts'

export type EmailStatus = Schemas['EmailStatus']
export type ListedEmail = Schemas['ListedEmail']
export type Email = Schemas['Email']
export type SendingDomain = Schemas['SendingDomain']
export type Suppression = Schemas['EmailSuppression']
export type KnownRecipient = Schemas['KnownRecipient']
export type OutboxMessage = Schemas['OutboxMessage']

const REFRESH_MS = 8_000

export function emailKey({ project_id, mode }: Scope) {
  return ['email', project_id, mode] as const
}

export function statusQuery(scope: Scope) {
  return queryOptions({
    queryKey: [...emailKey(scope), 'status'],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/email/status', { params: inProject(scope), signal })),
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function emailsQuery(scope: Scope) {
  return listQuery({
    key: [...emailKey(scope), 'emails'],
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: page }
      return read(api.GET('/projects/{project_id}/emails', { params, signal }))
    },
  })
}

export function emailQuery(scope: Scope, id: string) {
  return queryOptions({
    queryKey: [...emailKey(scope), 'email', id],
    queryFn: ({ signal }) =>
      read(
        api.GET('/projects/{project_id}/emails/{id}', { params: inProject(scope, { id }), signal }),
      ),
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function cancelEmail(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/emails/{id}/cancel', { params }))
}

export function domainsQuery(scope: Scope) {
  return listQuery({
    key: [...emailKey(scope), 'domains'],
    // The server checks new domains every minute.
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: page }
      return read(api.GET('/projects/{project_id}/sending-domains', { params, signal }))
    },
  })
}

export function addDomain(scope: Scope, domain: string) {
  const params = inProject(scope)
  return read(api.POST('/projects/{project_id}/sending-domains', { params, body: { domain } }))
}

export function verifyDomain(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/sending-domains/{id}/verify', { params }))
}

export function rotateKey(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/sending-domains/{id}/rotate-dkim', { params }))
}

export interface Logo {
  logo_url: string
  /** Null without a certificate. */
  vmc_url: string | null
}

export function setLogo(scope: Scope, { id, ...body }: Logo & { id: string }) {
  const params = inProject(scope, { id })
  return read(api.PUT('/projects/{project_id}/sending-domains/{id}/bimi', { params, body }))
}

export function removeLogo(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/sending-domains/{id}/bimi', { params }))
}

export function deleteDomain(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/sending-domains/{id}', { params }))
}

export function suppressionsQuery(scope: Scope) {
  return listQuery({
    key: [...emailKey(scope), 'suppressions'],
    read: (page, signal) => {
      const params = { ...inProject(scope), query: page }
      return read(api.GET('/projects/{project_id}/email/suppressions', { params, signal }))
    },
  })
}

export function suppress(scope: Scope, address: string) {
  const params = inProject(scope)
  return read(api.POST('/projects/{project_id}/email/suppressions', { params, body: { address } }))
}

export function endSuppression(scope: Scope, address: string) {
  const params = inProject(scope, { address })
  return read(api.DELETE('/projects/{project_id}/email/suppressions/{address}', { params }))
}

export function recipientsQuery(scope: Scope) {
  return listQuery({
    key: [...emailKey(scope), 'recipients'],
    read: (page, signal) => {
      const params = { ...inProject(scope), query: page }
      return read(api.GET('/projects/{project_id}/email/recipients', { params, signal }))
    },
  })
}

export function requestRecipient(scope: Scope, address: string) {
  const params = inProject(scope)
  return read(api.POST('/projects/{project_id}/email/recipients', { params, body: { address } }))
}

export function confirmRecipient(scope: Scope, id: string) {
  const params = inProject(scope, { recipient_id: id })
  const route = '/projects/{project_id}/email/recipients/{recipient_id}/confirm'
  return read(api.POST(route, { params }))
}

export function removeRecipient(scope: Scope, id: string) {
  const params = inProject(scope, { recipient_id: id })
  return read(api.DELETE('/projects/{project_id}/email/recipients/{recipient_id}', { params }))
}

export function switchEmail(scope: Scope, enabled: boolean) {
  const params = inProject(scope)
  return read(api.PUT('/projects/{project_id}/email/module', { params, body: { enabled } }))
}

export function resumeSending(scope: Scope) {
  return read(api.POST('/projects/{project_id}/email/resume', { params: inProject(scope) }))
}

export function outboxQuery(scope: Scope) {
  return listQuery({
    key: [...emailKey(scope), 'outbox'],
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: page }
      return read(api.GET('/projects/{project_id}/email/outbox', { params, signal }))
    },
  })
}

export function outboxMessageQuery(scope: Scope, message_id: string) {
  const params = inProject(scope, { message_id })
  return queryOptions({
    queryKey: [...emailKey(scope), 'outbox', message_id],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/email/outbox/{message_id}', { params, signal })),
  })
}
