/**
 * An LRU cache of recently requested files. Small ones are kept as latin1 strings, because Node
 * sends a string together with the head in one write, which costs about a quarter less than a
 * buffer.
 */
import { LRUCache } from 'lru-cache'
import { readFile } from '../../../areas/files/service.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { whichOf, type Form, type Page, type Sheet } from './sheet.ts'

const KEPT_BYTES_MAX = 64 * 1_048_576
/** Larger files are streamed, so that one video does not evict a thousand pages. */
const BODY_BYTES_MAX = 1_048_576
const TEXT_BYTES_MAX = 16_384
/** Memory per entry in addition to its bytes. */
const ENTRY_BYTES = 200

export type Body = string | Buffer

export interface Bodies {
  /** Whether it is small enough to be cached. */
  isKept(form: Form): boolean
  get(form: Form): Body | undefined
  /** Reads and caches it. Concurrent reads of the same bytes share one. */
  read(sheet: Sheet, page: Page, form: Form): Promise<Body>
}

export function createBodies(runtime: Runtime): Bodies {
  const kept = new LRUCache<string, Body>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: (body) => body.length + ENTRY_BYTES,
  })
  const reading = new Map<string, Promise<Body>>()

  async function load({ project_id }: Sheet, page: Page, form: Form): Promise<Body> {
    const bytes = await readFile(runtime, project_id, {
      id: page.file.file_id,
      ...whichOf(page, form),
    })
    if (bytes.length !== form.bytes)
      throw new Error(`The bytes of ${form.key} are ${bytes.length} and not ${form.bytes}.`)
    const body = bytes.length <= TEXT_BYTES_MAX ? bytes.toString('latin1') : bytes
    kept.set(form.key, body)
    return body
  }

  return {
    isKept: ({ bytes }) => bytes <= BODY_BYTES_MAX,
    get: ({ key }) => kept.get(key),
    read(sheet, page, form) {
      const known = reading.get(form.key)
      if (known) return known
      const loading = load(sheet, page, form).finally(() => reading.delete(form.key))
      reading.set(form.key, loading)
      return loading
    },
  }
}
