/** The media library as a grid. Files dropped on the page are uploaded. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Image, Upload } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { ProblemState } from '../../api/query-state.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { DropArea, FileButton } from '../../ui/forms/drop-area.tsx'
import { sayFault } from '../../ui/overlays/toast.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { FileDrawer } from './file-drawer.tsx'
import { FilterBar } from './filter-bar.tsx'
import { GridSkeleton, MediaGrid } from './media-grid.tsx'
import { mediaQuery, type Media, type Selection } from './queries.ts'
import { SelectionActions } from './selection-actions.tsx'
import { mediaTexts } from './texts.ts'
import { startUpload } from './upload.ts'

export function Page() {
  const t = useTexts(mediaTexts)
  const scope = useProjectScope()
  const add = useUpload()
  const mayWrite = scope.may('member')
  const [selection, setSelection] = useState<Selection>({ q: '', kind: 'all', folder: '' })
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
    <DropArea label={t('drop')} disabled={!mayWrite} onDrop={({ files }) => add([...files])}>
      <title>{t('title')}</title>
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
          onEnd={() => {
            if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
          }}
        />
      )}
    </DropArea>
  )
}

/** Starts the upload of files; the progress is shown on every page. */
function useUpload() {
  const t = useTexts(mediaTexts)
  const scope = useProjectScope()
  const client = useQueryClient()
  return (given: readonly File[]) => {
    // A dropped folder arrives as a file without bytes, so it is ignored.
    const files = given.filter(({ size }) => size > 0)
    if (files.length === 0) return sayFault(t('fault_empty'))
    if (!isSecureContext) return sayFault(t('fault_insecure'))
    const title =
      files.length === 1 ? (files[0]?.name ?? '') : t('uploads', { count: files.length })
    startUpload({ scope, client, files, title })
  }
}

function Library({ files, onEnd }: { files: readonly Media[]; onEnd(): void }) {
  const scope = useProjectScope()
  const [opened, setOpened] = useState<string | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setSelected(selected.symmetricDifference(new Set([id])))
  // Files that are no longer shown do not stay selected.
  const chosen = files.filter(({ id }) => selected.has(id))
  return (
    <>
      <MediaGrid
        files={files}
        selected={selected}
        onOpen={setOpened}
        onEnd={onEnd}
        {...(scope.may('member') && { onToggle: toggle })}
      />
      <SelectionActions files={chosen} onClear={() => setSelected(new Set())} />
      <FileDrawer id={opened} onClose={() => setOpened(null)} />
    </>
  )
}
