/** The menu of actions on a whole collection: export and deletion. */
import { useNavigate } from '@tanstack/react-router'
import { Download, Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/actions/menu.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import {
  collectionsKey,
  deleteCollection,
  download,
  type Collection,
  type ExportFormat,
  type Selection,
} from './queries.ts'
import { dataTexts } from './texts.ts'

const formats = ['xlsx', 'csv', 'ndjson'] as const

export function CollectionMenu({ row, selection }: { row: Collection; selection: Selection }) {
  const t = useTexts(dataTexts)
  const scope = useProjectScope()
  const [asks, setAsks] = useState(false)
  const save = useAct({
    run: (format: ExportFormat) => download(scope, { ...selection, name: row.name, format }),
  })
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button size="icon" busy={save.isPending} aria-label={t('actions')}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        {formats.map((format) => (
          <MenuItem
            key={format}
            icon={<Download aria-hidden="true" />}
            onSelect={() => save.mutate(format)}
          >
            {t(`export_${format}`)}
          </MenuItem>
        ))}
        {scope.may('member') && (
          <>
            <MenuLine />
            <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => setAsks(true)}>
              {t('delete_collection')}
            </MenuItem>
          </>
        )}
      </Menu>
      <DeleteQuestion row={row} open={asks} onOpenChange={setAsks} />
    </>
  )
}

function DeleteQuestion(props: {
  row: Collection
  open: boolean
  onOpenChange(open: boolean): void
}) {
  const { row, open, onOpenChange } = props
  const t = useTexts(dataTexts)
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
