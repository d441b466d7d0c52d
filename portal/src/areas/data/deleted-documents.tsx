/** The deleted documents of a collection, each with a button that restores it. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { InfiniteList } from '../../api/infinite-list.tsx'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { keepFirstPage } from './document-cache.ts'
import { fieldsOf, textOf } from './fields.ts'
import {
  collectionKey,
  collectionsKey,
  deletedQuery,
  documentsKey,
  restoreDocument,
  type Collection,
  type DeletedDocument,
} from './queries.ts'
import { useDataTexts } from './texts.ts'

export interface DeletedDocumentsProps {
  row: Collection
  open: boolean
  onClose(): void
}

export function DeletedDocuments({ row, open, onClose }: DeletedDocumentsProps) {
  const t = useDataTexts()
  return (
    <Drawer open={open} onClose={onClose} title={t('deleted_documents')}>
      {open && <DeletedList row={row} />}
    </Drawer>
  )
}

function DeletedList({ row }: { row: Collection }) {
  const t = useDataTexts()
  const query = useInfiniteQuery(deletedQuery(useProjectScope(), row.name))
  return (
    <InfiniteList
      query={query}
      more={t('more_deleted')}
      empty={
        <EmptyState
          icon={<Trash2 aria-hidden="true" />}
          title={t('no_deleted')}
          about={t('no_deleted_about')}
        />
      }
    >
      {(documents) => (
        <div className="p-5">
          <p className="text-sm text-muted">{t('deleted_about')}</p>
          <ul className="divide-y divide-line">
            {documents.map((document) => (
              <DeletedItem key={document.id} row={row} document={document} />
            ))}
          </ul>
        </div>
      )}
    </InfiniteList>
  )
}

function DeletedItem({ row, document }: { row: Collection; document: DeletedDocument }) {
  const t = useDataTexts()
  const scope = useProjectScope()
  const client = useQueryClient()
  const restore = useAct({
    run() {
      keepFirstPage(client, scope, row.name)
      return restoreDocument(scope, row.name, document)
    },
    done: t('document_restored'),
    refresh: [documentsKey(scope, row.name), collectionKey(scope, row.name), collectionsKey(scope)],
  })
  const title = titleOf(row, document)
  const { deleted_at, deleted_by, through } = document
  return (
    <li className="flex flex-wrap items-center gap-3 py-3.5">
      <div className="min-w-40 flex-1">
        <p className="line-clamp-2 font-medium break-words">{title}</p>
        <p className="text-sm text-muted">
          <Moment at={deleted_at} />
          {deleted_by !== null && ` · ${deleted_by.name ?? t('unknown_author')}`}
          {` · ${t(`through_${through}`)}`}
        </p>
      </div>
      {scope.may('member') && (
        <Button size="sm" busy={restore.isPending} onClick={() => restore.mutate(undefined)}>
          {t('restore')}
          <span className="sr-only">: {title}</span>
        </Button>
      )}
    </li>
  )
}

const VALUES_SHOWN = 3

/** The first values of the document in the order of the fields; its id if it has none. */
function titleOf({ schema }: Collection, { id, data }: DeletedDocument): string {
  const names = fieldsOf({ schema }, [{ data }]).map(({ name }) => name)
  const values = names.map((name) => textOf(data[name])).filter((text) => text !== '')
  return values.length === 0 ? id.slice(0, 8) : values.slice(0, VALUES_SHOWN).join(' · ')
}
