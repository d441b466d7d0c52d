/** Exports the selected documents as a file, with progress. */
import { reach } from '../../../api/batch.ts'
import { ApiProblem, type Scope } from '../../../api/client.ts'
import { saveFile } from '../../../work/save-file.ts'
import { startWork, type Worker } from '../../../work/work.ts'
import { queryOf, type Selection } from '../queries.ts'

export const exportFormats = ['xlsx', 'csv', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface Export extends Selection {
  scope: Scope
  name: string
  format: ExportFormat
  title: string
  /** The number of documents; null if it is unknown. */
  count: number | null
}

const LINE_FEED = 10
/** Until the end of the file is there. */
const PROGRESS_MAX = 0.99

/** A link could not send the mode, which is a header. */
export function startExport(asked: Export): void {
  const { scope, name, format, title } = asked
  startWork({
    project_id: scope.project_id,
    title,
    async run(worker) {
      const response = await reach(addressOf(asked), {
        headers: { 'Homeport-Mode': scope.mode },
        signal: worker.signal,
      })
      if (!response.ok || response.body === null) {
        throw new ApiProblem(await response.json().catch(() => ({})), response.status)
      }
      const parts = await receive(response.body, asked, worker)
      saveFile({ blob: new Blob(parts), filename: `${name}.${format}` })
    },
  })
}

function addressOf({ scope, name, format, ...selection }: Export): string {
  const { q: _, ...chosen } = { q: '', ...queryOf(selection) }
  const query = new URLSearchParams({ ...chosen, format })
  return `/portal/api/v1/projects/${scope.project_id}/collections/${name}/documents/export?${query}`
}

/** A line is a document, so the progress is their number; a workbook has no lines. */
async function receive(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { format, count }: Export,
  { report }: Worker,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const isCounted = format !== 'xlsx' && count !== null && count > 0
  const parts: Uint8Array<ArrayBuffer>[] = []
  let lines = 0
  report({ stage: 'receiving', progress: isCounted ? 0 : null })
  for await (const part of body) {
    parts.push(part)
    if (!isCounted) continue
    for (const byte of part) if (byte === LINE_FEED) lines += 1
    report({ progress: Math.min(PROGRESS_MAX, lines / count) })
  }
  return parts
}
