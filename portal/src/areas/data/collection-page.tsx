/** The page of a collection: searches, sorts, adds, changes and exports its documents. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { FileText, Plus } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { ApiProblem } from '../../api/client.ts'
import { ProblemState, QueryState } from '../../api/query-state.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { SkeletonRows } from '../../ui/states/skeleton.tsx'
import { CollectionMenu } from './collection-menu.tsx'
import { DocumentDrawer } from './document-drawer.tsx'
import { fieldsOf, textOf, type DataField } from './fields.ts'
import {
  collectionQuery,
  documentsQuery,
  type Collection,
  type Document,
  type Selection,
} from './queries.ts'
import { exampleOf, SelectionBar } from './selection-bar.tsx'
import { dataTexts } from './texts.ts'
import { useNewDocuments } from './new-documents.ts'

export function Page() {
  const { name } = useParams({ strict: false })
  const query = useQuery(collectionQuery(useProjectScope(), name ?? ''))
  return <QueryState query={query}>{(row) => <CollectionView key={row.id} row={row} />}</QueryState>
}

/**
 * The document in the drawer, `new` for the form of a new document, or null if the drawer is
 * closed.
 */
type Opened = Document | 'new' | null

function CollectionView({ row }: { row: Collection }) {
  const t = useTexts(dataTexts)
  const format = useFormat()
  const scope = useProjectScope()
  const [opened, setOpened] = useState<Opened>(null)
  const [selection, setSelection] = useState<Selection>({ search: '', sort: '-created_at' })
  const query = useInfiniteQuery(documentsQuery(scope, row.name, selection))
  const documents = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  const fields = useMemo(() => fieldsOf(row, documents ?? []), [row, documents])
  const count = query.data?.pages[0]?.count
  useNewDocuments(scope, row.name)
  const add = scope.may('member') && (
    <Button kind="primary" onClick={() => setOpened('new')}>
      <Plus aria-hidden="true" />
      {t('add')}
    </Button>
  )
  return (
    <>
      <title>{row.title}</title>
      <PageHeader
        title={row.title}
        about={
          count === undefined
            ? row.name
            : t('documents_count', { count, shown: format.number(count) })
        }
        actions={
          <>
            {add}
            <CollectionMenu row={row} selection={selection} />
          </>
        }
      />
      <SelectionBar fields={fields} selection={selection} onChange={setSelection} />
      <Card flush>
        {documents === undefined ? (
          <Waiting query={query} fields={fields} />
        ) : documents.length === 0 ? (
          <NothingFound isFiltered={selection.search !== ''} row={row} add={add} />
        ) : (
          <Documents
            label={row.title}
            fields={fields}
            documents={documents}
            onOpen={setOpened}
            onEnd={() => {
              if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
            }}
          />
        )}
      </Card>
      <DocumentDrawer
        collection={row}
        fields={fields}
        document={opened}
        onClose={() => setOpened(null)}
      />
    </>
  )
}

interface WaitingProps {
  query: { error: Error | null; refetch(): Promise<unknown> }
  fields: readonly DataField[]
}

function Waiting({ query, fields }: WaitingProps) {
  const t = useTexts(dataTexts)
  if (query.error === null) return <SkeletonRows />
  if (query.error instanceof ApiProblem && query.error.slug === 'invalid_parameter') {
    return (
      <div className="p-5">
        <ErrorState
          user_message={query.error.user_message}
          next_step={t('filter_about', { example: exampleOf(fields) })}
          request_id={query.error.request_id}
        />
      </div>
    )
  }
  return (
    <div className="p-5">
      <ProblemState error={query.error} onRetry={() => void query.refetch()} />
    </div>
  )
}

function NothingFound(props: { isFiltered: boolean; row: Collection; add: ReactNode }) {
  const t = useTexts(dataTexts)
  const icon = <FileText aria-hidden="true" />
  if (props.isFiltered) {
    return <EmptyState icon={icon} title={t('nothing_found')} about={t('nothing_found_about')} />
  }
  return (
    <EmptyState
      icon={icon}
      title={t('no_documents')}
      about={t('no_documents_about')}
      action={props.add}
      sentence={t('add_sentence', { title: props.row.title })}
    />
  )
}

const COLUMNS_MAX = 6

function Documents(props: {
  label: string
  fields: readonly DataField[]
  documents: readonly Document[]
  onOpen(row: Document): void
  onEnd(): void
}) {
  const { label, fields, documents, onOpen, onEnd } = props
  const t = useTexts(dataTexts)
  const columns: Column<Document>[] = [
    ...fields.slice(0, COLUMNS_MAX).map((field, index) => columnOf(field, index, onOpen)),
    {
      id: '@created',
      title: t('created_at'),
      align: 'right',
      from: 'sm',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
  return (
    <Table
      label={label}
      columns={columns}
      rows={documents}
      keyOf={({ id }) => id}
      onOpen={onOpen}
      onEnd={onEnd}
    />
  )
}

/** Defines a column. The first column contains the button that opens the document by keyboard. */
function columnOf(
  { name, title, kind }: DataField,
  index: number,
  onOpen: (row: Document) => void,
): Column<Document> {
  const text = ({ data }: Document) => textOf(data[name])
  return {
    id: name,
    title,
    ...(kind === 'number' && { align: 'right' as const }),
    ...(index > 0 && {
      from: index > 3 ? ('lg' as const) : index > 1 ? ('md' as const) : ('sm' as const),
    }),
    cell: (row) =>
      index === 0 ? (
        <button
          type="button"
          onClick={() => onOpen(row)}
          className="block max-w-64 truncate font-medium hover:text-accent"
        >
          {text(row) || row.id.slice(0, 8)}
        </button>
      ) : (
        <span className="block max-w-56 truncate tabular-nums">{text(row)}</span>
      ),
  }
}
