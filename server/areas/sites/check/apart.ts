/**
 * The check, kept out of the way of requests: what is more than a little is read in a thread of its
 * own, one at a time, and what was checked before is not checked again, because the same files
 * always give the same findings.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { sha256 } from '../../../kernel/crypto.ts'
import { inTurn } from '../turns.ts'
import { knownBadLinks } from './bad-links.ts'
import { checkFiles, type CheckContext, type CheckedFile, type Finding } from './check.ts'

/** What is read within a request, in a few milliseconds. */
const BYTES_AT_ONCE_MAX = 128 * 1024
const REMEMBERED_MAX = 1000

const remembered = new LRUCache<string, Finding[]>({ max: REMEMBERED_MAX })

export type Asked = Omit<CheckContext, 'bad_links'>

/** `bad_links`: the text of the operator's list. */
export async function checkApart(
  files: readonly CheckedFile[],
  context: Asked,
  bad_links: string,
): Promise<Finding[]> {
  const key = keyOf(files, context, bad_links)
  const known = remembered.get(key)
  if (known) return known
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  const whole = { ...context, bad_links: knownBadLinks(bad_links) }
  const findings =
    bytes <= BYTES_AT_ONCE_MAX
      ? checkFiles(files, whole)
      : await inTurn('check', () => checkInThread({ files, context: whole }))
  remembered.set(key, findings)
  return findings
}

function keyOf(files: readonly CheckedFile[], context: Asked, bad_links: string): string {
  const parts = files.map(({ path, content_type, bytes }) => [
    path,
    content_type,
    sha256(bytes).toString('base64url'),
  ])
  return sha256(JSON.stringify([parts, context, bad_links])).toString('base64url')
}

/** What the thread is given. */
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
