/** The documents of a collection: searched, sorted, and changed in a grid. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useCallback, useMemo, useState, useEffect, type ReactNode } from 'react'
import { followChanges, type DocumentChange } from '../../api/change-feed.ts'
import { ApiProblem, type Scope } from '../../api/client.ts'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ProblemState } from '../../api/query-state.tsx'
import { Card } from '../../ui/display/card.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { SkeletonRows } from '../../ui/states/skeleton.tsx'
import { keepFirstPage, applyChanges } from './document-cache.ts'
import { fieldsOf } from './fields.ts'
import { DocumentGrid } from './grid/document-grid.tsx'
import {
  documentsQuery,
  collectionsKey,
  type Collection,
  type Document,
  type Selection,
} from './queries.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useDataTexts } from './texts.ts'

/** An import reports thousands of changes, which are applied together. */
const COLLECTED_MS = 300

export interface DocumentsViewProps {
  row: Collection
  selection: Selection
  /** The button that adds a document. */
  add: ReactNode
  onSelect(selection: Selection): void
  onOpen(document: Document): void
}

export function DocumentsView({ row, selection, add, onSelect, onOpen }: DocumentsViewProps) {
  const scope = useProjectScope()
  const client = useQueryClient()
  useState(() => keepFirstPage(client, scope, row.name))
  useLiveDocuments(scope, row.name)
  const query = useInfiniteQuery(documentsQuery(scope, row.name, selection))
  const documents = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  const fields = useFields(row, documents)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const problem = refusalOf(query.error)
  return (
    <>
      <SelectionBar {...{ fields, selection, problem }} onChange={onSelect} />
      {documents !== undefined && documents.length > 0 ? (
        <DocumentGrid
          label={row.title}
          count={query.data?.pages[0]?.count ?? documents.length}
          sort={selection.sort}
          onSort={(sort) => onSelect({ ...selection, sort })}
          {...{ fields, documents, onOpen, onEnd }}
        />
      ) : problem === null ? (
        <Card flush>
          {documents === undefined ? (
            <Waiting query={query} />
          ) : selection.search === '' ? (
            <NoDocuments row={row} add={add} />
          ) : (
            <NothingFound />
          )}
        </Card>
      ) : null}
    </>
  )
}

/** The fields; the same value as before while they are the same, so that rows need no new render. */
function useFields(row: Collection, documents: readonly Document[] | undefined) {
  const fields = useMemo(
    () => fieldsOf(row, (documents ?? []).slice(0, DOCUMENTS_READ)),
    [row, documents],
  )
  const text = JSON.stringify(fields)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- equal texts are equal fields
  return useMemo(() => fields, [text])
}

/** Fields beyond the schema are looked for in this many documents. */
const DOCUMENTS_READ = 200

/** A refusal of the filter or the order, which is shown beside them. */
function refusalOf(error: Error | null): ApiProblem | null {
  return error instanceof ApiProblem && error.slug === 'invalid_parameter' ? error : null
}

function Waiting({ query }: { query: { error: Error | null; refetch(): Promise<unknown> } }) {
  if (query.error === null) return <SkeletonRows />
  return (
    <div className="p-5">
      <ProblemState error={query.error} onRetry={() => void query.refetch()} />
    </div>
  )
}

function NothingFound() {
  const t = useDataTexts()
  return (
    <EmptyState
      icon={<FileText aria-hidden="true" />}
      title={t('nothing_found')}
      about={t('nothing_found_about')}
    />
  )
}

function NoDocuments({ row, add }: Pick<DocumentsViewProps, 'row' | 'add'>) {
  const t = useDataTexts()
  return (
    <EmptyState
      icon={<FileText aria-hidden="true" />}
      title={t('no_documents')}
      about={t('no_documents_about')}
      action={add}
      sentence={t('add_sentence', { title: row.title })}
    />
  )
}

/** Applies the changes of the collection to the lists of the page as the server reports them. */
function useLiveDocuments({ project_id, mode }: Scope, collection: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const scope = { project_id, mode }
    const left = new AbortController()
    let waiting: DocumentChange[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const apply = () => {
      timer = undefined
      applyChanges(client, { scope, collection, changes: waiting })
      waiting = []
      void client.invalidateQueries({ queryKey: collectionsKey(scope) })
    }
    const onChange = (change: DocumentChange) => {
      waiting.push(change)
      timer ??= setTimeout(apply, COLLECTED_MS)
    }
    void followChanges({ scope, collection, signal: left.signal, onChange })
    return () => {
      left.abort()
      clearTimeout(timer)
    }
  }, [client, project_id, mode, collection])
}
