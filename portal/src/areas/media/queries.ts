/** Requests about the files of the media library. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { operations } from 'portal-api'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type Media = Schemas['Media']
export type Kind = Media['kind']
export type MediaChange = Schemas['MediaUpdateBody']
type LinkQuery = NonNullable<operations['media.link']['parameters']['query']>
export type Width = NonNullable<LinkQuery['width']>

const PAGE_SIZE = 60
/** Links are read again after 12 minutes, because they expire after 15. */
const LINKS_MS = 12 * 60_000

export function mediaKey({ project_id }: Scope) {
  return ['media', project_id] as const
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
  return infiniteQueryOptions({
    queryKey: [...mediaKey(scope), 'list', chosen],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...chosen, limit: PAGE_SIZE, ...(pageParam !== '' && { cursor: pageParam }) }
      const params = { ...inProject(scope), query }
      return read(api.GET('/projects/{project_id}/media', { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })
}

/** The URLs of thumbnails by file id; read again before they expire. */
export function thumbnailsQuery(scope: Scope, ids: readonly string[]) {
  const params = { ...inProject(scope), query: { ids: ids.join() } }
  return queryOptions({
    queryKey: ['thumbnails', scope.project_id, ids],
    queryFn: async ({ signal }) => {
      const route = '/projects/{project_id}/media/thumbnails'
      const { thumbnails } = await read(api.GET(route, { params, signal }))
      return new Map(thumbnails.map(({ id, url }) => [id, url]))
    },
    enabled: ids.length > 0,
    staleTime: LINKS_MS,
    refetchInterval: LINKS_MS,
  })
}

function ofFile(scope: Scope, id: string) {
  const { path, header } = inProject(scope)
  return { path: { ...path, id }, header }
}

export function fileQuery(scope: Scope, id: string) {
  const params = ofFile(scope, id)
  return queryOptions({
    queryKey: [...mediaKey(scope), 'one', id],
    queryFn: ({ signal }) => read(api.GET('/projects/{project_id}/media/{id}', { params, signal })),
  })
}

/** Returns the URL of a file, or of a resized copy of a picture. */
export async function linkTo(scope: Scope, id: string, width?: Width): Promise<string> {
  const params = { ...ofFile(scope, id), query: width === undefined ? {} : { width } }
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
  const params = ofFile(scope, id)
  return read<Media>(api.PATCH('/projects/{project_id}/media/{id}', { params, body }))
}

export function deleteFile(scope: Scope, id: string) {
  const params = ofFile(scope, id)
  return read(api.DELETE('/projects/{project_id}/media/{id}', { params }))
}
