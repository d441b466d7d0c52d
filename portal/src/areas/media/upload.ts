/** Adds files to the library: several at once, each with its progress and its own failure. */
import type { QueryClient } from '@tanstack/react-query'
import { api, ApiProblem, inProject, read, type Scope } from '../../api/client.ts'
import { sendFile, sha256Of } from '../../work/send-file.ts'
import { startWork, type WorkItem } from '../../work/work.ts'
import { mediaKey } from './queries.ts'

const SENT_AT_ONCE = 3
const ATTEMPTS_MAX = 5
const RATE_LIMITED = 429
const PAUSE_MS = 4_000

interface Upload {
  scope: Scope
  client: QueryClient
  title: string
  files: readonly File[]
}

export function startUpload({ scope, client, title, files }: Upload): void {
  startWork({
    project_id: scope.project_id,
    title,
    async run({ signal, report }) {
      const items: WorkItem[] = files.map(({ name }) => ({
        name,
        stage: 'waiting',
        progress: 0,
        fault: null,
      }))
      const show = (index: number, part: Partial<WorkItem>) => {
        const item = items[index]
        if (item !== undefined) items[index] = { ...item, ...part }
        const done = items.reduce((sum, { progress }) => sum + progress, 0)
        report({ stage: 'sending', progress: done / items.length, items: [...items] })
      }
      const waiting = files.map((file, index) => ({ file, index }))
      const lanes = Array.from({ length: SENT_AT_ONCE }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const { file, index } = next
          const target = {
            scope,
            file,
            signal,
            show: (part: Partial<WorkItem>) => show(index, part),
          }
          // A refused file does not stop the others.
          await addFile(target).catch((error: unknown) => {
            if (signal.aborted) throw error
            show(index, { stage: 'failed', progress: 1, fault: faultOf(error) })
          })
        }
      })
      await Promise.all(lanes)
      await client.invalidateQueries({ queryKey: mediaKey(scope) })
      if (items.every(({ stage }) => stage === 'failed')) throw new Error(items[0]?.fault ?? '')
      report({ path: '/media' })
    },
  })
}

function faultOf(error: unknown): string {
  if (error instanceof ApiProblem) return error.user_message
  return error instanceof Error ? error.message : ''
}

interface Target {
  scope: Scope
  file: File
  signal: AbortSignal
  show(part: Partial<WorkItem>): void
}

async function addFile({ scope, file, signal, show }: Target): Promise<void> {
  show({ stage: 'reading' })
  const sha256 = await sha256Of(file)
  const params = inProject(scope)
  const content_type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type)
    ? file.type
    : 'application/octet-stream'
  const announced = { filename: file.name, sha256, bytes: file.size, content_type }
  // Retries with a new link after a lost connection, and waits after too many requests.
  const upload_id = await persistently(signal, async () => {
    const body = { files: [announced] }
    const { uploads } = await read(
      api.POST('/projects/{project_id}/media/uploads', { params, body, signal }),
    )
    const [link] = uploads
    if (link === undefined) throw new Error('The server gave no link.')
    if (link.status === 'needed') {
      const onSent = (bytes: number) =>
        show({ stage: 'sending', progress: (bytes / file.size) * SENT_SHARE })
      await sendFile({ link, file, signal, onSent })
    }
    return link.upload_id
  })
  show({ stage: 'finishing', progress: SENT_SHARE })
  const done = await persistently(signal, () => {
    const path = { ...params.path, id: upload_id }
    const route = '/projects/{project_id}/media/uploads/{id}/complete'
    return read(api.POST(route, { params: { ...params, path }, signal }))
  })
  const isRefused = done.status === 'failed' || done.status === 'blocked'
  const stage = isRefused ? 'failed' : 'done'
  show({ stage, progress: 1, fault: isRefused ? done.status_reason : null })
}

/**
 * The share of the progress for sending; the rest is the time in which the server reads the file.
 */
const SENT_SHARE = 0.9

async function persistently<Result>(
  signal: AbortSignal,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (signal.aborted || count === ATTEMPTS_MAX || !isPassing(error)) throw error
    }
    await new Promise((done) => setTimeout(done, PAUSE_MS))
  }
}

/** Whether a retry may succeed. A lost connection has the status 0. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return error instanceof TypeError
  return error.status === 0 || error.status === RATE_LIMITED || error.status >= 500
}
