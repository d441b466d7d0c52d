/**
 * The latest documents of the most recently changed collection, updated by its change feed.
 */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followChanges, type Document, type DocumentChange } from '../../api/change-feed.ts'
import { api, inProject, read, type Scope } from '../../api/client.ts'
import { useProjectScope } from '../../api/project-scope.tsx'
import { collectionsQuery, type Collection } from '../data/queries.ts'

const DOCUMENTS_SHOWN = 5

function documentsQuery(scope: Scope, name: string) {
  const { path, header } = inProject(scope)
  const query = { limit: DOCUMENTS_SHOWN, sort: '-created_at' }
  const params = { path: { ...path, name }, header, query }
  return queryOptions({
    queryKey: ['documents', scope.project_id, scope.mode, name, 'latest'],
    queryFn: async ({ signal }): Promise<Document[]> => {
      const route = '/projects/{project_id}/collections/{name}/documents'
      return (await read(api.GET(route, { params, signal }))).data
    },
    enabled: name !== '',
  })
}

export interface LiveDocuments {
  collection: Collection | null
  documents: readonly Document[]
}

export function useLiveDocuments(): LiveDocuments {
  const scope = useProjectScope()
  const { data: collections = [] } = useQuery(collectionsQuery(scope))
  const collection =
    collections.toSorted((left, right) => right.updated_at.localeCompare(left.updated_at))[0] ??
    null
  const name = collection?.name ?? ''
  const { data: documents = [] } = useQuery(documentsQuery(scope, name))
  useFeed(scope, name)
  return { collection, documents }
}

/** Opens one feed only, because browsers allow six connections to a host. */
function useFeed({ project_id, mode }: Scope, collection: string): void {
  const client = useQueryClient()
  useEffect(() => {
    if (collection === '') return undefined
    const scope = { project_id, mode }
    const { queryKey } = documentsQuery(scope, collection)
    const left = new AbortController()
    const onChange = ({ kind, document }: DocumentChange) => {
      if (kind !== 'created' || document === null) return
      client.setQueryData(queryKey, (known: Document[] = []) =>
        [document, ...known.filter(({ id }) => id !== document.id)].slice(0, DOCUMENTS_SHOWN),
      )
    }
    void followChanges({ scope, collection, signal: left.signal, onChange })
    return () => left.abort()
  }, [client, project_id, mode, collection])
}

/** Summarizes a document by its first texts and numbers. */
export function summaryOf({ data }: Document): string {
  return Object.values(data)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .slice(0, 3)
    .join(' · ')
}
