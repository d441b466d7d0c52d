/** Collections and their documents. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'

export type Collection = Schemas['Collection']
export type NewCollection = Schemas['CollectionsCreateBody']
export type CollectionChange = Schemas['CollectionsUpdateBody']
export type SchemaPreview = Schemas['ChangedCollection']
export type Document = Schemas['Document']
export type DocumentData = Document['data']
export type DocumentVersion = Schemas['DocumentVersion']

const COLLECTIONS_MAX = 100
const PAGE_SIZE = 100
const DELETED_SHOWN = 25
/** More than the versions that are kept, so one page has all of them. */
const VERSIONS_MAX = 50
const COMPARISON = /[=<>]|\b(?:in|has|contains|starts with|ends with|exists)\b/i

/** Whether a text is a filter; any other text is searched for as words. */
function isFilter(text: string): boolean {
  return COMPARISON.test(text)
}

export function collectionsKey({ project_id, mode }: Scope) {
  return ['collections', project_id, mode] as const
}

export function collectionsQuery(scope: Scope) {
  const params = { ...inProject(scope), query: { limit: COLLECTIONS_MAX } }
  return queryOptions({
    queryKey: collectionsKey(scope),
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/collections', { params, signal }))).data,
  })
}

export function collectionKey({ project_id, mode }: Scope, name: string) {
  return ['collection', project_id, mode, name] as const
}

export function collectionQuery(scope: Scope, name: string) {
  const params = inProject(scope, { name })
  return queryOptions({
    queryKey: collectionKey(scope, name),
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/collections/{name}', { params, signal })),
  })
}

/** The filter and the order of the shown documents. */
export interface Selection {
  /** A filter such as `guests > 3`, or words that the documents contain. */
  search: string
  sort: string
}

export function documentsKey({ project_id, mode }: Scope, name: string) {
  return ['documents', project_id, mode, name] as const
}

export function documentsQuery(scope: Scope, name: string, selection: Selection) {
  const chosen = queryOf(selection)
  return infiniteQueryOptions({
    queryKey: [...documentsKey(scope, name), 'list', selection],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...chosen,
        limit: PAGE_SIZE,
        count: pageParam === '',
        ...(pageParam !== '' && { cursor: pageParam }),
      }
      const params = { ...inProject(scope, { name }), query }
      const route = '/projects/{project_id}/collections/{name}/documents'
      return read(api.GET(route, { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    // The change feed keeps the list current; reading it again costs a request for each page.
    staleTime: Infinity,
    refetchOnMount: 'always',
    refetchOnReconnect: false,
  })
}

export const newestFirst = '-created_at'

/** Whether a new document is the first of the list. */
export function isWholeList({ search, sort }: Selection): boolean {
  return search.trim() === '' && sort === newestFirst
}

export function queryOf({ search, sort }: Selection) {
  const text = search.trim()
  const sorted = sort === '' ? {} : { sort }
  if (text === '') return sorted
  return isFilter(text) ? { ...sorted, filter: text } : { ...sorted, q: text }
}

export function createCollection(scope: Scope, body: NewCollection) {
  const params = inProject(scope)
  return read<Collection>(api.POST('/projects/{project_id}/collections', { params, body }))
}

export function changeCollection(scope: Scope, name: string, body: CollectionChange) {
  const params = inProject(scope, { name })
  return read<SchemaPreview>(
    api.PATCH('/projects/{project_id}/collections/{name}', { params, body }),
  )
}

/** What a change of the settings would do: which documents would not fit. It changes nothing. */
export function schemaPreviewQuery(scope: Scope, row: Collection, body: CollectionChange) {
  const params = { ...inProject(scope, { name: row.name }), query: { dry_run: true } }
  return queryOptions({
    queryKey: [...collectionKey(scope, row.name), 'preview', row.document_count, body],
    queryFn: ({ signal }) =>
      read<SchemaPreview>(
        api.PATCH('/projects/{project_id}/collections/{name}', { params, body, signal }),
      ),
    retry: false,
  })
}

/** Deletes the collection and all its documents. */
export function deleteCollection(scope: Scope, name: string) {
  const params = { ...inProject(scope, { name }), query: { confirm: name } }
  return read(api.DELETE('/projects/{project_id}/collections/{name}', { params }))
}

export function createDocument(scope: Scope, name: string, body: DocumentData) {
  const params = inProject(scope, { name })
  const route = '/projects/{project_id}/collections/{name}/documents'
  return read<Document>(api.POST(route, { params, body }))
}

/** Replaces a document. Throws `version_conflict` if it has changed since it was read. */
export function replaceDocument(
  scope: Scope,
  { collection, id, version }: Document,
  body: DocumentData,
) {
  const { path, header } = inProject(scope, { name: collection })
  const params = { path: { ...path, id }, header: { ...header, 'If-Match': `"${version}"` } }
  const route = '/projects/{project_id}/collections/{name}/documents/{id}'
  return read<Document>(api.PUT(route, { params, body }))
}

export function fetchDocument(
  scope: Scope,
  { collection, id }: Pick<Document, 'collection' | 'id'>,
) {
  const params = inProject(scope, { name: collection, id })
  const route = '/projects/{project_id}/collections/{name}/documents/{id}'
  return read<Document>(api.GET(route, { params }))
}

export function deleteDocument(scope: Scope, { collection, id }: Document) {
  const params = inProject(scope, { name: collection, id })
  const route = '/projects/{project_id}/collections/{name}/documents/{id}'
  return read(api.DELETE(route, { params }))
}

/** The kept versions of a document, newest first. */
export function versionsQuery(scope: Scope, document: Document) {
  const params = {
    ...inProject(scope, { name: document.collection, id: document.id }),
    query: { limit: VERSIONS_MAX },
  }
  const route = '/projects/{project_id}/collections/{name}/documents/{id}/versions'
  return queryOptions({
    queryKey: [
      ...documentsKey(scope, document.collection),
      'versions',
      document.id,
      document.version,
    ],
    queryFn: async ({ signal }) => (await read(api.GET(route, { params, signal }))).data,
  })
}

export type DeletedDocument = Schemas['DeletedDocument']

/** The deleted documents that can be restored, last deleted first. */
export function deletedQuery(scope: Scope, name: string) {
  const route = '/projects/{project_id}/collections/{name}/deleted-documents'
  return listQuery({
    key: [...documentsKey(scope, name), 'deleted'],
    size: DELETED_SHOWN,
    read: (page, signal) => {
      const params = { ...inProject(scope, { name }), query: page }
      return read(api.GET(route, { params, signal }))
    },
  })
}

export function restoreDocument(scope: Scope, name: string, { id, version }: DeletedDocument) {
  const params = inProject(scope, { name, id })
  const route = '/projects/{project_id}/collections/{name}/documents/{id}/restore'
  return read<Document>(api.POST(route, { params, body: { version } }))
}

/** Refused if the document has changed since it was shown. */
export function restoreVersion(scope: Scope, document: Document, version: number) {
  const { path, header } = inProject(scope, { name: document.collection })
  const params = {
    path: { ...path, id: document.id },
    header: { ...header, 'If-Match': `"${document.version}"` },
  }
  const route = '/projects/{project_id}/collections/{name}/documents/{id}/restore'
  return read<Document>(api.POST(route, { params, body: { version } }))
}
