/**
 * The loaded documents of a collection. Changes are applied to them in place, because reading the list
 * again costs a request for each hundred documents.
 */
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { DocumentChange } from '../../api/change-feed.ts'
import type { Schemas, Scope } from '../../api/client.ts'
import { documentsKey, isWholeList, type Document, type Selection } from './queries.ts'

type Pages = InfiniteData<Schemas['DocumentsListReply'], string>

/** More new documents than this are read from the server instead. */
const NEW_MAX = 100

interface Changed {
  scope: Scope
  collection: string
  changes: readonly DocumentChange[]
}

export function applyChanges(client: QueryClient, { scope, collection, changes }: Changed): void {
  const queryKey = [...documentsKey(scope, collection), 'list']
  const created = changes.filter(({ kind }) => kind === 'created')
  const isReset = changes.some(({ kind }) => kind === 'reset') || created.length > NEW_MAX
  for (const [key, pages] of client.getQueriesData<Pages>({ queryKey })) {
    if (pages === undefined) continue
    const selection = key.at(-1) as Selection
    if (isReset || (created.length > 0 && !isWholeList(selection))) {
      client.setQueryData<Pages>(key, firstPage(pages))
      void client.invalidateQueries({ queryKey: key })
    } else client.setQueryData<Pages>(key, withChanges(pages, changes))
  }
}

/** Shows a document as it is after a change by this person, or as it will be. */
export function showDocument(client: QueryClient, scope: Scope, document: Document): void {
  const { id, version, collection } = document
  const change = { kind: 'updated', id, version, document } as const
  applyChanges(client, { scope, collection, changes: [change] })
}

/** Keeps the first page only, so that the next read of the list is one request. */
export function keepFirstPage(client: QueryClient, scope: Scope, collection: string): void {
  const queryKey = [...documentsKey(scope, collection), 'list']
  client.setQueriesData<Pages>({ queryKey }, (pages) => pages && firstPage(pages))
}

export function loadedDocument(
  client: QueryClient,
  scope: Scope,
  { collection, id }: Pick<Document, 'collection' | 'id'>,
): Document | null {
  const queryKey = [...documentsKey(scope, collection), 'list']
  for (const [, list] of client.getQueriesData<Pages>({ queryKey })) {
    for (const { data } of list?.pages ?? []) {
      const found = data.find((one) => one.id === id)
      if (found !== undefined) return found
    }
  }
  return null
}

function firstPage({ pages, pageParams }: Pages): Pages {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}

/** An older version than the shown one, which the feed reports late, changes nothing. */
function withChanges({ pages, pageParams }: Pages, changes: readonly DocumentChange[]): Pages {
  const newest = new Map(changes.map((change) => [change.id, change]))
  const shown = new Set<string>()
  let deleted = 0
  const kept = pages.map((page) => {
    if (!page.data.some(({ id }) => newest.has(id))) return page
    const data = page.data.flatMap((one) => {
      const change = newest.get(one.id)
      if (change === undefined) return [one]
      shown.add(one.id)
      if (change.kind === 'deleted') {
        deleted += 1
        return []
      }
      const { document } = change
      return [document === null || document.version < one.version ? one : document]
    })
    return { ...page, data }
  })
  const added = [...newest.values()].flatMap(({ kind, id, document }) =>
    kind === 'created' && document !== null && !shown.has(id) ? [document] : [],
  )
  return { pages: counted(kept, added, deleted), pageParams }
}

function counted(pages: Pages['pages'], added: readonly Document[], deleted: number) {
  const [first, ...others] = pages
  if (first === undefined) return []
  const data = added.length === 0 ? first.data : [...added.toReversed(), ...first.data]
  const count = first.count === undefined ? {} : { count: first.count + added.length - deleted }
  return [{ ...first, data, ...count }, ...others]
}
