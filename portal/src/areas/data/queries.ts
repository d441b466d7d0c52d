/** Collections and their documents. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, ApiProblem, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type Collection = Schemas['Collection']
export type NewCollection = Schemas['CollectionsCreateBody']
export type Document = Schemas['Document']
export type DocumentData = Document['data']
export type ExportFormat = 'xlsx' | 'csv' | 'ndjson'

const COLLECTIONS_MAX = 100
const PAGE_SIZE = 100
const COMPARISON = /[=<>]|\b(?:in|has|contains|starts with|ends with|exists)\b/

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

function inCollection(scope: Scope, name: string) {
  const { path, header } = inProject(scope)
  return { path: { ...path, name }, header }
}

export function collectionQuery(scope: Scope, name: string) {
  const params = inCollection(scope, name)
  return queryOptions({
    queryKey: ['collection', scope.project_id, scope.mode, name],
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
      const params = { ...inCollection(scope, name), query }
      const route = '/projects/{project_id}/collections/{name}/documents'
      return read(api.GET(route, { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })
}

/**
 * Converts the search text to parameters: a text with an operator is a filter, any other is a
 * full-text search.
 */
function queryOf({ search, sort }: Selection) {
  const text = search.trim()
  const sorted = sort === '' ? {} : { sort }
  if (text === '') return sorted
  return COMPARISON.test(text) ? { ...sorted, filter: text } : { ...sorted, q: text }
}

export function createCollection(scope: Scope, body: NewCollection) {
  const params = inProject(scope)
  return read<Collection>(api.POST('/projects/{project_id}/collections', { params, body }))
}

/** Deletes the collection and all its documents. */
export function deleteCollection(scope: Scope, name: string) {
  const params = { ...inCollection(scope, name), query: { confirm: name } }
  return read(api.DELETE('/projects/{project_id}/collections/{name}', { params }))
}

export function createDocument(scope: Scope, name: string, body: DocumentData) {
  const params = inCollection(scope, name)
  const route = '/projects/{project_id}/collections/{name}/documents'
  return read<Document>(api.POST(route, { params, body }))
}

/** Replaces a document. Throws `version_conflict` if it has changed since it was read. */
export function replaceDocument(
  scope: Scope,
  { collection, id, version }: Document,
  body: DocumentData,
) {
  const { path, header } = inCollection(scope, collection)
  const params = { path: { ...path, id }, header: { ...header, 'If-Match': `"${version}"` } }
  const route = '/projects/{project_id}/collections/{name}/documents/{id}'
  return read<Document>(api.PUT(route, { params, body }))
}

export function deleteDocument(scope: Scope, { collection, id }: Document) {
  const { path, header } = inCollection(scope, collection)
  const params = { path: { ...path, id }, header }
  const route = '/projects/{project_id}/collections/{name}/documents/{id}'
  return read(api.DELETE(route, { params }))
}

export interface Download extends Selection {
  name: string
  format: ExportFormat
}

/**
 * Saves the selected documents as a file. A plain link cannot be used, because it cannot send the
 * mode header.
 */
export async function download(scope: Scope, { name, format, ...selection }: Download) {
  const { q: _, ...query } = { q: '', ...queryOf(selection) }
  const params = { ...inCollection(scope, name), query: { ...query, format } }
  const route = '/projects/{project_id}/collections/{name}/documents/export'
  const { data, error, response } = await api.GET(route, { params, parseAs: 'blob' })
  if (data === undefined) throw new ApiProblem(error ?? {}, response.status)
  const address = URL.createObjectURL(data)
  const link = Object.assign(document.createElement('a'), {
    href: address,
    download: `${name}.${format}`,
  })
  link.click()
  URL.revokeObjectURL(address)
}
