/**
 * Runs the check without delaying requests: larger inputs are checked in a thread, one check at a
 * time, and projects take turns. Findings are cached, because the same files always give the same
 * findings.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { createSlots } from '../../../kernel/limits/slots.ts'
import { readKnownBadLinks } from './links/bad-links.ts'
import { checkFiles, type CheckContext, type CheckedFile, type Finding } from './check.ts'

/** Maximum size of an input that is checked within the request, which takes a few milliseconds. */
const BYTES_AT_ONCE_MAX = 128 * 1024
const REMEMBERED_MAX = 1000

const slots = createSlots({
  name: 'sites are checked',
  units: 1,
  units_each: 1,
  waiting_max: 100,
  waiting_each_max: 20,
  retry_after_s: 5,
})

const remembered = new LRUCache<string, Finding[]>({ max: REMEMBERED_MAX })

export type CheckInput = Omit<CheckContext, 'bad_links'>

/** `bad_links` is the text of the operator's list. */
export async function checkIsolated(
  files: readonly CheckedFile[],
  { project_id, ...context }: CheckInput & { project_id: string },
  bad_links: string,
): Promise<Finding[]> {
  const key = keyOf(files, context, bad_links)
  const known = remembered.get(key)
  if (known) return known
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  const whole = { ...context, bad_links: readKnownBadLinks(bad_links) }
  const findings =
    bytes <= BYTES_AT_ONCE_MAX
      ? checkFiles(files, whole)
      : await slots.run(project_id, () => checkInThread({ files, context: whole }))
  remembered.set(key, findings)
  return findings
}

function keyOf(files: readonly CheckedFile[], context: CheckInput, bad_links: string): string {
  const parts = files.map(({ path, content_type, bytes }) => [
    path,
    content_type,
    sha256(bytes).toString('base64url'),
  ])
  return sha256(JSON.stringify([parts, context, bad_links])).toString('base64url')
}

/** The input of the thread. */
export interface CheckOrder {
  files: readonly CheckedFile[]
  context: CheckContext
}

async function checkInThread(workerData: CheckOrder): Promise<Finding[]> {
  const worker = new Worker(join(import.meta.dirname, 'thread.ts'), { workerData })
  try {
    const [findings] = await once(worker, 'message')
    return findings
  } finally {
    await worker.terminate()
  }
}
