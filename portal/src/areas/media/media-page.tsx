/** The media library as a grid. Files dropped on the page are uploaded. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Image, Upload } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { ProblemState } from '../../api/query-state.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { useOpenId } from '../../ui/display/use-tab.ts'
import { DropArea, FileButton } from '../../ui/forms/drop-area.tsx'
import { showError } from '../../ui/overlays/toast.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { readEntries } from '../../work/dropped-files.ts'
import { FileDrawer } from './file/file-drawer.tsx'
import { FilterBar } from './library/filter-bar.tsx'
import { GridSkeleton, MediaGrid } from './library/media-grid.tsx'
import { mediaQuery, type Media, type Selection } from './queries.ts'
import { SelectionActions, type Asked } from './library/selection-actions.tsx'
import { useMediaTexts } from './texts.ts'
import { startUpload } from './upload/upload.ts'
import { useFileSelection } from './library/use-file-selection.ts'

export function Page() {
  const t = useMediaTexts()
  const scope = useProjectScope()
  const mayWrite = scope.may('member')
  const [opened, setOpened] = useOpenId()
  const [selection, setSelection] = useState<Selection>({ q: '', kind: 'all', folder: '' })
  const add = useUpload(selection.folder)
  const wanted = useDeferredValue(selection)
  const query = useInfiniteQuery(mediaQuery(scope, wanted))
  const files = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  const isFiltered =
    selection.q.trim() !== '' || selection.kind !== 'all' || selection.folder !== ''
  const isEmpty = files?.length === 0 && !isFiltered
  const button = mayWrite && (
    <FileButton kind="primary" onChoose={add}>
      <Upload aria-hidden="true" />
      {t('upload')}
    </FileButton>
  )
  return (
    <DropArea
      label={t('drop')}
      disabled={!mayWrite}
      onDrop={(transfer) => void filesOf(transfer).then(add)}
    >
      <PageHeader title={t('title')} about={t('about')} actions={!isEmpty && button} />
      {!isEmpty && <FilterBar selection={selection} files={files ?? []} onChange={setSelection} />}
      {files === undefined ? (
        query.error === null ? (
          <GridSkeleton />
        ) : (
          <ProblemState error={query.error} onRetry={() => void query.refetch()} />
        )
      ) : isEmpty ? (
        <Card flush>
          <EmptyState
            icon={<Image aria-hidden="true" />}
            title={t('empty')}
            about={t('empty_about')}
            action={button}
            sentence={t('sentence')}
          />
        </Card>
      ) : files.length === 0 ? (
        <Card flush>
          <EmptyState
            icon={<Image aria-hidden="true" />}
            title={t('nothing_found')}
            about={t('nothing_found_about')}
          />
        </Card>
      ) : (
        <Library
          files={files}
          onOpen={setOpened}
          onEnd={() => {
            if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
          }}
          loadAll={async () => {
            for (let next = query; ; next = await next.fetchNextPage())
              if (!next.hasNextPage) return next.data?.pages.flatMap(({ data }) => data) ?? []
          }}
        />
      )}
      <FileDrawer id={opened} onClose={() => setOpened(null)} />
    </DropArea>
  )
}

const READ_MAX = 2_000
const ignored = /^(?:\.|__MACOSX$|Thumbs\.db$|desktop\.ini$)/i

/** The dropped files, those in folders included. */
async function filesOf({ items, files }: DataTransfer): Promise<File[]> {
  // Read before the first wait, because the browser clears the transfer after the event.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...files]
  const read = await readEntries(entries, { files_max: READ_MAX, ignored })
  return read.map(({ file }) => file)
}

/** Starts the upload of files; the progress is shown on every page. */
function useUpload(folder: string) {
  const t = useMediaTexts()
  const scope = useProjectScope()
  const client = useQueryClient()
  return (given: readonly File[]) => {
    const files = given.filter(({ size }) => size > 0)
    if (files.length === 0) return showError(t('fault_empty'))
    if (!isSecureContext) return showError(t('fault_insecure'))
    startUpload({
      scope,
      client,
      files,
      folder,
      titleOf: (count) => t('uploads', { count }),
      retryTitleOf: (count) => t('retry_failed', { count }),
    })
  }
}

interface LibraryProps {
  files: readonly Media[]
  onOpen(id: string): void
  onEnd(): void
  loadAll(): Promise<readonly Media[]>
}

function Library({ files, onOpen, onEnd, loadAll }: LibraryProps) {
  const t = useMediaTexts()
  const mayWrite = useProjectScope().may('member')
  const [asked, setAsked] = useState<Asked>(null)
  const { selection, isLoading } = useFileSelection({ files, loadAll })
  // Files that are no longer shown do not stay selected.
  const chosen = files.filter(({ id }) => selection.selected.has(id))
  return (
    <>
      {mayWrite && (
        <div className="-mt-3 mb-2 flex justify-end">
          <Button size="sm" kind="ghost" busy={isLoading} onClick={selection.selectAll}>
            {t('select_all')}
          </Button>
        </div>
      )}
      <MediaGrid
        files={files}
        selection={mayWrite ? selection : null}
        onOpen={onOpen}
        onDelete={() => setAsked('delete')}
        onEnd={onEnd}
      />
      <SelectionActions
        files={chosen}
        known={files}
        asked={asked}
        onAsk={setAsked}
        onClear={selection.clear}
      />
    </>
  )
}
