/** A collection: its documents, its schema, its settings, a form that fills it, and a shop that sells them. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Tabs } from '../../ui/display/tabs.tsx'
import { useTab } from '../../ui/display/use-tab.ts'
import { SkeletonRows } from '../../ui/states/skeleton.tsx'
import { CollectionMenu } from './collection-menu.tsx'
import { DocumentDrawer } from './document-drawer.tsx'
import { DocumentsView } from './documents-view.tsx'
import { fieldsOf } from './fields.ts'
import {
  collectionQuery,
  documentsQuery,
  newestFirst,
  type Collection,
  type Document,
  type Selection,
} from './queries.ts'
import { useDataTexts } from './texts.ts'

export function Page() {
  const { name } = useParams({ strict: false })
  const query = useQuery(collectionQuery(useProjectScope(), name ?? ''))
  return <QueryState query={query}>{(row) => <CollectionView key={row.id} row={row} />}</QueryState>
}

const views = ['documents', 'schema', 'form', 'shop', 'settings'] as const

const SchemaEditor = lazy(async () => ({
  default: (await import('./schema/schema-editor.tsx')).SchemaEditor,
}))
const FormBuilder = lazy(async () => ({
  default: (await import('./form/form-builder.tsx')).FormBuilder,
}))

const CollectionSettings = lazy(async () => ({
  default: (await import('./collection-settings.tsx')).CollectionSettings,
}))

const ShopView = lazy(async () => ({
  default: (await import('./shop/shop-view.tsx')).ShopView,
}))

/**
 * The first page of the list as `DocumentsView` reads it, for the fields of a collection without a
 * schema.
 */
function useShownDocuments({ name }: Collection, selection: Selection): readonly Document[] {
  const query = documentsQuery(useProjectScope(), name, selection)
  const { data } = useInfiniteQuery({ ...query, enabled: false })
  return data?.pages[0]?.data ?? []
}

interface HeaderProps {
  row: Collection
  selection: Selection
  add: ReactNode
}

function Header({ row, selection, add }: HeaderProps) {
  return (
    <>
      <PageHeader
        title={row.title}
        about={<code className="font-mono text-sm">{row.name}</code>}
        actions={
          <>
            {add}
            <CollectionMenu row={row} selection={selection} />
          </>
        }
      />
    </>
  )
}

function CollectionView({ row }: { row: Collection }) {
  const t = useDataTexts()
  const mayWrite = useProjectScope().may('member')
  const [view, setView] = useTab(views)
  const [selection, setSelection] = useState({ search: '', sort: newestFirst })
  const [opened, setOpened] = useState<Document | 'new' | null>(null)
  const shown = useShownDocuments(row, selection)
  const add = mayWrite && (
    <Button kind="primary" onClick={() => setOpened('new')}>
      <Plus aria-hidden="true" />
      {t('add')}
    </Button>
  )
  const form = {
    value: 'form',
    title: t('form_view'),
    body: <FormBuilder collection={row} />,
  } as const
  const shop = {
    value: 'shop',
    title: t('shop_view'),
    body: <ShopView collection={row} />,
  } as const
  return (
    <>
      <Header row={row} selection={selection} add={add} />
      <Suspense fallback={<SkeletonRows />}>
        <Tabs
          label={t('views')}
          value={view}
          onChange={setView}
          tabs={[
            {
              value: 'documents',
              title: t('documents'),
              body: (
                <DocumentsView
                  {...{ row, selection, add }}
                  onSelect={setSelection}
                  onOpen={setOpened}
                />
              ),
            },
            { value: 'schema', title: t('schema'), body: <SchemaEditor collection={row} /> },
            // A catalogue takes no documents from forms.
            ...(mayWrite ? [...(row.catalogue ? [] : [form]), shop] : []),
            {
              value: 'settings',
              title: t('settings'),
              body: <CollectionSettings collection={row} fields={fieldsOf(row, shown)} />,
            },
          ]}
        />
      </Suspense>
      <DocumentDrawer
        collection={row}
        fields={fieldsOf(row, opened === null || opened === 'new' ? shown : [opened, ...shown])}
        document={opened}
        onClose={() => setOpened(null)}
      />
    </>
  )
}
