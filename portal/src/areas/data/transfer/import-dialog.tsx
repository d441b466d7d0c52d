/** Imports a file: first what would come of it, then the import itself. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileUp, LoaderCircle } from 'lucide-react'
import { useState, type DragEvent } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { ProblemState } from '../../../api/query-state.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { FileButton } from '../../../ui/forms/drop-area.tsx'
import { DialogButtons } from '../../../ui/overlays/dialog.tsx'
import type { Collection } from '../queries.ts'
import { ImportPreview } from './import-preview.tsx'
import {
  importedExtensions,
  sendImport,
  startImport,
  typeOf,
  type Reading,
  type ImportReport,
} from './import.ts'
import { ReadingForm } from './reading-form.tsx'
import { useRefusedLines } from './refused-lines.ts'
import { useTransferTexts } from './texts.ts'

export function ImportDialog({ row, onDone }: { row: Collection; onDone(): void }) {
  const [file, setFile] = useState<File | null>(null)
  if (file === null) return <ChooseFile onChoose={setFile} />
  return <Chosen {...{ row, file, onDone }} onOther={() => setFile(null)} />
}

function ChooseFile({ onChoose }: { onChoose(file: File): void }) {
  const t = useTransferTexts()
  const [isRefused, setRefused] = useState(false)
  const choose = (file: File | undefined) => {
    if (file === undefined) return
    setRefused(typeOf(file) === null)
    if (typeOf(file) !== null) onChoose(file)
  }
  return (
    <div
      onDragOver={(event: DragEvent) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault()
        choose(event.dataTransfer.files[0])
      }}
      className="flex flex-col items-center gap-3 rounded-xl border-2 border-dashed border-line-strong bg-bg px-6 py-12 text-center"
    >
      <FileUp className="size-7 text-accent" aria-hidden="true" />
      <p className="text-muted">{t('drop')}</p>
      <FileButton accept={importedExtensions} onChoose={([file]) => choose(file)}>
        {t('choose')}
      </FileButton>
      <p className="text-sm text-faint">{t('limits')}</p>
      {isRefused && (
        <p role="alert" className="text-sm text-bad">
          {t('fault_type')}
        </p>
      )}
    </div>
  )
}

interface ChosenProps {
  row: Collection
  file: File
  onDone(): void
  onOther(): void
}

function Chosen({ row, file, onDone, onOther }: ChosenProps) {
  const t = useTransferTexts()
  const scope = useProjectScope()
  const client = useQueryClient()
  const counts = useCounts()
  const { fileOf } = useRefusedLines()
  const [reading, setReading] = useState<Reading>({
    mode: 'insert',
    by: row.unique[0] ?? 'id',
    locale: '',
    columns: {},
  })
  const imported = { scope, name: row.name, file, reading }
  const preview = useQuery({
    queryKey: ['import', scope.project_id, row.name, file.name, file.lastModified, reading],
    queryFn: ({ signal }) => sendImport({ ...imported, dry_run: true, signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  })
  const written = (preview.data?.inserted ?? 0) + (preview.data?.updated ?? 0)
  const start = () => {
    startImport({
      ...imported,
      client,
      title: t('work', { file: file.name }),
      noteOf: counts,
      refusedFileOf: fileOf,
      refused: t('download_refused'),
    })
    onDone()
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="flex flex-wrap items-center gap-3">
        <span className="min-w-0 flex-1 truncate font-medium">{file.name}</span>
        <Button size="sm" onClick={onOther}>
          {t('other_file')}
        </Button>
      </p>
      <ReadingForm row={row} reading={reading} onChange={setReading} />
      {preview.error !== null && <Refused error={preview.error} />}
      {preview.isFetching && (
        <p role="status" className="flex items-center gap-2 text-muted">
          <LoaderCircle className="size-4 animate-spin" aria-hidden="true" />
          {t('reading')}
        </p>
      )}
      {preview.data !== undefined && (
        <ImportPreview
          row={row}
          report={preview.data}
          columns={reading.columns}
          onColumns={(columns) => setReading({ ...reading, columns })}
        />
      )}
      <DialogButtons>
        <Button
          kind="primary"
          disabled={written === 0 || preview.isFetching || preview.error !== null}
          onClick={start}
        >
          {t('import', { count: written })}
        </Button>
      </DialogButtons>
    </div>
  )
}

/** The reason of a file that cannot be read as a whole, with its lines. */
function Refused({ error }: { error: Error }) {
  const faults = error instanceof ApiProblem ? error.faults : []
  return (
    <div>
      <ProblemState error={error} />
      {faults.length > 0 && (
        <ul className="mt-2 flex flex-col gap-1 px-1 text-sm text-muted">
          {faults.slice(0, 5).map(({ path, message }) => (
            <li key={path + message}>{message}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What came of an import, in a few words. */
function useCounts() {
  const t = useTransferTexts()
  return ({ inserted, updated, refused }: ImportReport) =>
    [
      t('new', { count: inserted }),
      ...(updated > 0 ? [t('updated', { count: updated })] : []),
      ...(refused > 0 ? [t('refused', { count: refused })] : []),
    ].join(' · ')
}
