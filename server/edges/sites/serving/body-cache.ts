/**
 * An LRU cache of recently requested files. Small ones are kept as latin1 strings, because Node
 * sends a string together with the head in one write, which costs about a quarter less than a
 * buffer.
 */
import { LRUCache } from 'lru-cache'
import { readFile } from '../../../areas/files/service.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  toFileVariant,
  type Representation,
  type SiteResource,
  type VersionLayout,
} from './version-layout.ts'

const KEPT_BYTES_MAX = 64 * 1_048_576
/**
 * Maximum size of a cached body. Larger files are streamed, so that one video does not evict a
 * thousand pages.
 */
const BODY_BYTES_MAX = 1_048_576
const TEXT_BYTES_MAX = 16_384
/** Memory per entry in addition to its bytes. */
const ENTRY_BYTES = 200

export type ResponseBody = string | Buffer

export interface BodyCache {
  /** Whether the bytes are small enough to be cached. */
  isKept(representation: Representation): boolean
  get(representation: Representation): ResponseBody | undefined
  /** Reads the bytes and caches them. Concurrent reads of the same bytes share one read. */
  read(
    layout: VersionLayout,
    resource: SiteResource,
    representation: Representation,
  ): Promise<ResponseBody>
}

export function createBodyCache(runtime: Runtime): BodyCache {
  const kept = new LRUCache<string, ResponseBody>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: (body) => body.length + ENTRY_BYTES,
  })
  const reading = new Map<string, Promise<ResponseBody>>()

  async function load(
    { project_id }: VersionLayout,
    resource: SiteResource,
    representation: Representation,
  ): Promise<ResponseBody> {
    const bytes = await readFile(runtime, project_id, {
      id: resource.file.file_id,
      ...toFileVariant(resource, representation),
    })
    if (bytes.length !== representation.bytes)
      throw new Error(
        `The bytes of ${representation.key} are ${bytes.length} and not ${representation.bytes}.`,
      )
    const body = bytes.length <= TEXT_BYTES_MAX ? bytes.toString('latin1') : bytes
    kept.set(representation.key, body)
    return body
  }

  return {
    isKept: ({ bytes }) => bytes <= BODY_BYTES_MAX,
    get: ({ key }) => kept.get(key),
    read(layout, resource, representation) {
      const known = reading.get(representation.key)
      if (known) return known
      const loading = load(layout, resource, representation).finally(() =>
        reading.delete(representation.key),
      )
      reading.set(representation.key, loading)
      return loading
    },
  }
}
