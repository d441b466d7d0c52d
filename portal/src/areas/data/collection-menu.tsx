/** The menu of a collection: import, export, restoring documents and deletion. */
import { useNavigate } from '@tanstack/react-router'
import { Download, Ellipsis, History, Trash2, Upload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/actions/menu.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { SkeletonRows } from '../../ui/states/skeleton.tsx'
import { collectionsKey, deleteCollection, type Collection, type Selection } from './queries.ts'
import { useDataTexts } from './texts.ts'
import { exportFormats, startExport } from './transfer/export.ts'
import { useTransferTexts } from './transfer/texts.ts'

const ImportDialog = lazy(async () => ({
  default: (await import('./transfer/import-dialog.tsx')).ImportDialog,
}))

const DeletedDocuments = lazy(async () => ({
  default: (await import('./deleted-documents.tsx')).DeletedDocuments,
}))

export function CollectionMenu({ row, selection }: { row: Collection; selection: Selection }) {
  const t = useDataTexts()
  const scope = useProjectScope()
  const words = useTransferTexts()
  const [asks, setAsks] = useState(false)
  const [imports, setImports] = useState(false)
  const [showsDeleted, setShowsDeleted] = useState(false)
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button size="icon" aria-label={t('actions')}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        {scope.may('member') && (
          <MenuItem icon={<Upload aria-hidden="true" />} onSelect={() => setImports(true)}>
            {t('import')}
          </MenuItem>
        )}
        <ExportItems row={row} selection={selection} />
        <MenuItem icon={<History aria-hidden="true" />} onSelect={() => setShowsDeleted(true)}>
          {t('deleted_documents')}
        </MenuItem>
        {scope.may('member') && (
          <>
            <MenuLine />
            <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => setAsks(true)}>
              {t('delete_collection')}
            </MenuItem>
          </>
        )}
      </Menu>
      <Dialog
        wide
        open={imports}
        onClose={() => setImports(false)}
        title={words('title')}
        about={words('about')}
      >
        <Suspense fallback={<SkeletonRows />}>
          <ImportDialog row={row} onDone={() => setImports(false)} />
        </Suspense>
      </Dialog>
      <Suspense fallback={null}>
        {showsDeleted && <DeletedDocuments row={row} open onClose={() => setShowsDeleted(false)} />}
      </Suspense>
      <DeleteQuestion row={row} open={asks} onOpenChange={setAsks} />
    </>
  )
}

function ExportItems({ row, selection }: { row: Collection; selection: Selection }) {
  const t = useDataTexts()
  const words = useTransferTexts()
  const scope = useProjectScope()
  const { name, title, document_count } = row
  const count = selection.search === '' ? document_count : null
  return (
    <>
      {exportFormats.map((format) => (
        <MenuItem
          key={format}
          icon={<Download aria-hidden="true" />}
          onSelect={() =>
            startExport({
              scope,
              name,
              format,
              count,
              ...selection,
              title: words('export_work', { title }),
            })
          }
        >
          {t(`export_${format}`)}
        </MenuItem>
      ))}
    </>
  )
}

function DeleteQuestion(props: {
  row: Collection
  open: boolean
  onOpenChange(open: boolean): void
}) {
  const { row, open, onOpenChange } = props
  const t = useDataTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const remove = useAct({
    run: () => deleteCollection(scope, row.name),
    done: t('collection_deleted'),
    refresh: [collectionsKey(scope)],
    onDone: () => void navigate({ to: scope.link('/data') }),
  })
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('delete_collection_title', { title: row.title })}
      about={t('delete_collection_about')}
      action={t('delete_collection')}
      busy={remove.isPending}
      typed={{ text: row.name, label: t('type_name', { name: row.name }) }}
      onConfirm={() => remove.mutate(undefined)}
    />
  )
}
