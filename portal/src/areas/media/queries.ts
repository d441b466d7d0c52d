/** Requests about the files of the media library. */
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { operations } from 'portal-api'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'

export type Media = Schemas['Media']
export type Kind = Media['kind']
export type MediaChange = Schemas['MediaUpdateBody']
type LinkQuery = NonNullable<operations['media.link']['parameters']['query']>
export type Width = NonNullable<LinkQuery['width']>

const PAGE_SIZE = 60
/** Links are read again after 12 minutes, because they expire after 15. */
const LINKS_MS = 12 * 60_000
/** A cached link is used only if it is valid for at least this time. */
const LINKS_LEFT_MS = 5 * 60_000

export function mediaKey({ project_id }: Scope) {
  return ['media', project_id] as const
}

function thumbnailsKey({ project_id }: Scope) {
  return ['thumbnails', project_id] as const
}

/** Reads everything about the files again, with new URLs. */
export async function forgetContents(client: QueryClient, scope: Scope): Promise<void> {
  await client.invalidateQueries({ queryKey: mediaKey(scope) })
  for (const queryKey of [thumbnailsKey(scope), ['media-link', scope.project_id]])
    await client.resetQueries({ queryKey })
}

/** The filters of the shown files. */
export interface Selection {
  q: string
  kind: Kind | 'all'
  folder: string
}

export function mediaQuery(scope: Scope, { q, kind, folder }: Selection) {
  const chosen = {
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(kind !== 'all' && { kind }),
    ...(folder !== '' && { folder }),
  }
  return listQuery({
    key: [...mediaKey(scope), 'list', chosen],
    size: PAGE_SIZE,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: { ...chosen, ...page } }
      return read(api.GET('/projects/{project_id}/media', { params, signal }))
    },
  })
}

export type Thumbnail = Schemas['MediaThumbnailsReply']['thumbnails'][number]

/**
 * The thumbnails by file id; read again before they expire. The URLs of files that another query
 * has are kept, because a new URL is loaded again by the browser.
 */
export function thumbnailsQuery(scope: Scope, ids: readonly string[]) {
  const key = thumbnailsKey(scope)
  return queryOptions({
    queryKey: [...key, ids],
    queryFn: async ({ client, signal }) => {
      const fresh_until = new Date(Date.now() + LINKS_LEFT_MS).toISOString()
      const known = new Map<string, Thumbnail>()
      for (const [, found] of client.getQueriesData<Map<string, Thumbnail>>({ queryKey: key }))
        for (const [id, one] of found ?? []) if (one.expires_at > fresh_until) known.set(id, one)
      const missing = ids.filter((id) => !known.has(id))
      if (missing.length > 0)
        for (const one of await readThumbnails(scope, missing, signal)) known.set(one.id, one)
      return new Map(
        ids.flatMap((id) => {
          const one = known.get(id)
          return one === undefined ? [] : [[id, one] as const]
        }),
      )
    },
    enabled: ids.length > 0,
    staleTime: LINKS_MS,
    refetchInterval: LINKS_MS,
  })
}

async function readThumbnails(
  scope: Scope,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Thumbnail[]> {
  const params = { ...inProject(scope), query: { ids: ids.join() } }
  const route = '/projects/{project_id}/media/thumbnails'
  return (await read(api.GET(route, { params, signal }))).thumbnails
}

export function fileQuery(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: [...mediaKey(scope), 'one', id],
    queryFn: ({ signal }) => read(api.GET('/projects/{project_id}/media/{id}', { params, signal })),
  })
}

/** Returns the URL of a file, or of a resized copy of a picture. */
export async function linkTo(scope: Scope, id: string, width?: Width): Promise<string> {
  const params = { ...inProject(scope, { id }), query: width === undefined ? {} : { width } }
  const { url } = await read(api.GET('/projects/{project_id}/media/{id}/link', { params }))
  return url
}

export function linkQuery(scope: Scope, id: string, width?: Width) {
  return queryOptions({
    queryKey: ['media-link', scope.project_id, id, width],
    queryFn: () => linkTo(scope, id, width),
    staleTime: LINKS_MS,
  })
}

export function changeFile(scope: Scope, id: string, body: MediaChange) {
  const params = inProject(scope, { id })
  return read<Media>(api.PATCH('/projects/{project_id}/media/{id}', { params, body }))
}

export type Batch = Schemas['MediaBatchReply']
/** Number of files that one request changes. */
const BATCH_MAX = 100

/** Changes or deletes files, a hundred at a time. Returns what was done and refused in total. */
export async function changeFiles(
  scope: Scope,
  { ids, ...changes }: Schemas['MediaBatchBody'],
): Promise<Batch> {
  const params = inProject(scope)
  const total: Batch = { done: [], refused: [] }
  for (let from = 0; from < ids.length; from += BATCH_MAX) {
    const body = { ...changes, ids: ids.slice(from, from + BATCH_MAX) }
    const { done, refused } = await read<Batch>(
      api.POST('/projects/{project_id}/media/batch', { params, body }),
    )
    total.done.push(...done)
    total.refused.push(...refused)
  }
  return total
}

export type Replaced = Schemas['MediaReplaceReply']

/** Replaces the content of a file by that of another file, which is removed from the library. */
export function replaceFile(scope: Scope, id: string, media_id: string): Promise<Replaced> {
  const params = inProject(scope, { id })
  const route = '/projects/{project_id}/media/{id}/replace'
  return read<Replaced>(api.POST(route, { params, body: { media_id } }))
}

export function deleteFile(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/media/{id}', { params }))
}
