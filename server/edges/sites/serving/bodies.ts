/**
 * Bytes of files that were asked for lately, up to so many altogether. What is small is kept as
 * text of one byte a character, because Node sends that together with the head in one go, which is
 * about a quarter cheaper than a buffer beside it.
 */
import { LRUCache } from 'lru-cache'
import { readFile } from '../../../areas/files/service.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { whichOf, type Form, type Page, type Sheet } from './sheet.ts'

const KEPT_BYTES_MAX = 64 * 1_048_576
/** What is larger is streamed, so that one film does not push out a thousand pages. */
const BODY_BYTES_MAX = 1_048_576
const TEXT_BYTES_MAX = 16_384
/** What an entry costs beside its bytes. */
const ENTRY_BYTES = 200

export type Body = string | Buffer

export interface Bodies {
  /** Whether it is small enough to be kept at all. */
  isKept(form: Form): boolean
  get(form: Form): Body | undefined
  /** Reads it, once for all who want it at the same time. */
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
