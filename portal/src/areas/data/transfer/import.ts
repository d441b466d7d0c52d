/** Sends a file of documents to the server: to look at what would come of it, or to import it. */
import type { QueryClient } from '@tanstack/react-query'
import { ApiProblem, type Schemas, type Scope } from '../../../api/client.ts'
import { startWork } from '../../../work/work.ts'
import { collectionKey, collectionsKey, documentsKey } from '../queries.ts'
import type { RefusedLines } from './refused-lines.ts'

export type ImportReport = Schemas['DocumentsImportReply']

/** How a file is read. */
export interface Reading {
  mode: 'insert' | 'upsert'
  /** The unique field, or id, by which a line finds its document. */
  by: string
  /** Empty: found out from the file. */
  locale: string
  /** The fields of columns by their headings; null leaves a column out. */
  columns: Readonly<Record<string, string | null>>
}

export interface ImportedFile {
  scope: Scope
  name: string
  file: File
  reading: Reading
}

const types = {
  csv: 'text/csv',
  tsv: 'text/csv',
  txt: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
} as const

export const importedExtensions = Object.keys(types)
  .map((one) => `.${one}`)
  .join(',')

/** The media type by the name of the file, because browsers name that of CSV files differently. */
export function typeOf({ name }: File): string | null {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? ''
  return Object.entries(types).find(([one]) => one === extension)?.[1] ?? null
}

export interface SendingImport extends ImportedFile {
  dry_run: boolean
  signal: AbortSignal
  onSent?(share: number): void
}

/** `fetch` reports no progress of a body that it sends. */
export function sendImport({
  scope,
  signal,
  onSent,
  ...sent
}: SendingImport): Promise<ImportReport> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest()
    signal.addEventListener('abort', () => request.abort())
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent?.(loaded / total))
    request.addEventListener('loadend', () => {
      const body = parsed(request.responseText)
      if (request.status === 200) done(body as ImportReport)
      else fail(new ApiProblem(body, request.status))
    })
    request.open('POST', addressOf(scope, sent))
    request.setRequestHeader('Homeport-Mode', scope.mode)
    request.setRequestHeader('Content-Type', typeOf(sent.file) ?? 'text/csv')
    request.send(sent.file)
  })
}

function addressOf(
  { project_id }: Scope,
  { name, reading, dry_run }: Pick<SendingImport, 'name' | 'reading' | 'dry_run'>,
): string {
  const { mode, by, locale, columns } = reading
  const query = new URLSearchParams({
    mode,
    dry_run: String(dry_run),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(mode === 'upsert' && { by }),
    ...(locale !== '' && { locale }),
    ...(Object.keys(columns).length > 0 && { columns: JSON.stringify(columns) }),
  })
  return `/portal/api/v1/projects/${project_id}/collections/${name}/documents/import?${query}`
}

function parsed(text: string): object {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

export interface ImportWork extends ImportedFile {
  client: QueryClient
  title: string
  noteOf(report: ImportReport): string
  refusedFileOf: RefusedLines['fileOf']
  /** The title of the button that saves the refused lines. */
  refused: string
}

export function startImport(work: ImportWork): void {
  const { client, title, noteOf, refusedFileOf, refused, ...imported } = work
  const { scope, name, file } = imported
  startWork({
    project_id: scope.project_id,
    title,
    async run({ signal, report }) {
      report({ stage: 'sending', progress: 0 })
      const onSent = (share: number) =>
        report(share < 1 ? { progress: share } : { stage: 'finishing', progress: null })
      const result = await sendImport({ ...imported, dry_run: false, signal, onSent })
      const blob = refusedFileOf(result)
      report({
        path: `/data/${name}`,
        note: noteOf(result),
        attachment: blob && { title: refused, filename: `refused-${file.name}.csv`, blob },
      })
      await Promise.all(
        [documentsKey(scope, name), collectionKey(scope, name), collectionsKey(scope)].map(
          (queryKey) => client.invalidateQueries({ queryKey }),
        ),
      )
    },
  })
}
