/** Announces files to the library, sends their bytes and completes them, with retries. */
import { api, ApiProblem, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { Unreachable } from '../../../api/batch.ts'
import { sendFile, sha256Of } from '../../../work/send-file.ts'
import type { Media } from '../queries.ts'

const ATTEMPTS_MAX = 5
const RATE_LIMITED = 429
const PAUSE_MS = 4_000
/** How often a request is sent again after too many requests: about four minutes. */
const WAITS_MAX = 60

export type Link = Schemas['MediaCreateUploadsReply']['uploads'][number]

interface Announcing {
  scope: Scope
  signal: AbortSignal
  files: readonly File[]
}

/** Returns a link for each file, in their order. One request announces all of them. */
export async function announce({ scope, signal, files }: Announcing): Promise<Link[]> {
  const params = inProject(scope)
  const announced: Announced[] = []
  for (const file of files) announced.push(await announcementOf(file))
  const route = '/projects/{project_id}/media/uploads'
  const { uploads } = await persistently(signal, () =>
    read(api.POST(route, { params, body: { files: announced }, signal })),
  )
  return uploads
}

type Announced = Schemas['MediaCreateUploadsBody']['files'][number]

async function announcementOf(file: File): Promise<Announced> {
  const content_type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type)
    ? file.type
    : 'application/octet-stream'
  return { filename: file.name, sha256: await sha256Of(file), bytes: file.size, content_type }
}

export interface Sent {
  scope: Scope
  signal: AbortSignal
  file: File
  link: Link
  onSent(bytes: number): void
}

/** Sends the bytes of an announced file; after a lost connection again, with a new link. */
export async function sendBytes({ scope, signal, file, link, onSent }: Sent): Promise<string> {
  let next: Link | undefined = link
  return persistently(signal, async () => {
    next ??= (await announce({ scope, signal, files: [file] }))[0]
    const target = next
    if (target === undefined) throw new Error('The server gave no link.')
    next = undefined
    if (target.status === 'needed') await sendFile({ link: target, file, signal, onSent })
    return target.upload_id
  })
}

/** Adds sent bytes to the library, and waits until the server has read them. */
export function complete(scope: Scope, upload_id: string, signal: AbortSignal): Promise<Media> {
  const params = inProject(scope, { id: upload_id })
  const route = '/projects/{project_id}/media/uploads/{id}/complete'
  return persistently(signal, () => read<Media>(api.POST(route, { params, signal })))
}

async function persistently<Result>(
  signal: AbortSignal,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 0, waits = 0; ;) {
    try {
      return await attempt()
    } catch (error) {
      if (isRateLimited(error)) waits += 1
      else failures += 1
      const isLast = failures === ATTEMPTS_MAX || waits === WAITS_MAX
      if (signal.aborted || isLast || !isPassing(error)) throw error
    }
    await new Promise((done) => setTimeout(done, PAUSE_MS))
  }
}

function isRateLimited(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === RATE_LIMITED
}

/** Whether a retry may succeed. A lost connection has the status 0. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return error instanceof Unreachable
  return error.status === 0 || error.status === RATE_LIMITED || error.status >= 500
}
