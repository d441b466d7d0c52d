/** Text messages, their figures, and sending one. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { paths } from 'portal-api'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'
import { pollEvery } from '../../api/live.ts'

export type Message = Schemas['Message']
type Overview = paths['/projects/{project_id}/messages/overview']['get']['responses'][200]
export type MessagesOverview = Overview['content']['application/json']
type Preview = paths['/projects/{project_id}/messages/preview/query']['post']['responses'][200]
export type MessagePreview = Preview['content']['application/json']

export interface Draft {
  to: string
  text: string
  /** Empty: the oldest number. */
  from: string
}

export type MessageFilter = Omit<
  NonNullable<paths['/projects/{project_id}/messages']['get']['parameters']['query']>,
  'limit' | 'cursor'
>

const REFRESH_MS = 10_000
const CHART_DAYS = 30

export function messagesKey({ project_id, mode }: Scope) {
  return ['messages', project_id, mode] as const
}

export function messagesQuery(scope: Scope, filter: MessageFilter) {
  return listQuery({
    key: [...messagesKey(scope), 'all', filter],
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: { ...filter, ...page } }
      return read(api.GET('/projects/{project_id}/messages', { params, signal }))
    },
  })
}

export function messageQuery(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: [...messagesKey(scope), 'one', id],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/messages/{id}', { params, signal })),
  })
}

export function overviewQuery(scope: Scope) {
  const params = { ...inProject(scope), query: { days: CHART_DAYS } }
  return queryOptions({
    queryKey: [...messagesKey(scope), 'overview'],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/messages/overview', { params, signal })),
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function optOutsQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: [...messagesKey(scope), 'opt_outs'],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/messages/opt-outs', { params, signal })),
  })
}

const e164 = /^\+[1-9][0-9]{6,14}$/

export function isPhone(text: string): boolean {
  return e164.test(text)
}

export function previewQuery(scope: Scope, { to, text, from }: Draft) {
  const params = inProject(scope)
  const body = { text, ...(isPhone(to) && { to }), ...(from !== '' && { from }) }
  return queryOptions({
    queryKey: [...messagesKey(scope), 'preview', body],
    queryFn: ({ signal }) =>
      read(api.POST('/projects/{project_id}/messages/preview/query', { params, body, signal })),
    placeholderData: keepPreviousData,
  })
}

export function sendMessage(scope: Scope, { draft, key }: { draft: Draft; key: string }) {
  const { path, header } = inProject(scope)
  const { to, text, from } = draft
  const params = { path, header: { ...header, 'Idempotency-Key': key } }
  const body = { to, text, ...(from !== '' && { from }) }
  return read(api.POST('/projects/{project_id}/messages', { params, body }))
}
