/**
 * Resized copies of images for visitors of sites and thumbnails. Visitors are anonymous, so their use of resources
 * is limited: a project makes one copy at a time, stores a limited size of copies, and does not
 * soon retry an unreadable image.
 */
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createSlots, NoSlot } from '../../../kernel/limits/slots.ts'
import { growingCache } from '../../../kernel/limits/growing-cache.ts'
import { FileGone } from '../../files/service.ts'
import { findCopy, makeCopy, toCopySuffix, type CopySpec, type Picture } from './copies.ts'
import { sumCopyBytes } from './copy-store.ts'

const UNREADABLE_MS = 600_000
const UNREADABLE_MAX = 10_000

const slots = createSlots({
  name: 'pictures of sites are made smaller',
  units: 2,
  units_each: 1,
  waiting_max: 200,
  waiting_each_max: 40,
  retry_after_s: 5,
})

/** Copies that cannot be made, by file and format, with the time until which they are not retried. */
const unreadable = growingCache<number>(UNREADABLE_MAX)
const under_way = new Map<string, Promise<number | null>>()

/**
 * Finds or makes a copy and returns its size in bytes. Returns null if too many copies are waiting,
 * the project has reached its limit, or the image cannot be read.
 */
export function makeSiteCopy(
  runtime: Runtime,
  picture: Picture,
  copy: CopySpec,
): Promise<number | null> {
  const key = `${picture.project_id} ${picture.file_id} ${toCopySuffix(copy)}`
  const known = under_way.get(key)
  if (known) return known
  const made = findOrMake(runtime, picture, copy).finally(() => under_way.delete(key))
  under_way.set(key, made)
  return made
}

function keyOf({ file_id }: Picture, { format }: CopySpec): string {
  return `${file_id} ${format}`
}

async function findOrMake(
  runtime: Runtime,
  picture: Picture,
  copy: CopySpec,
): Promise<number | null> {
  const known = await findCopy(runtime.db, picture, copy)
  if (known !== null || (unreadable.get(keyOf(picture, copy)) ?? 0) > runtime.clock.now_ms())
    return known
  try {
    return await slots.run(picture.project_id, () => makeWithinLimits(runtime, picture, copy))
  } catch (error) {
    if (error instanceof NoSlot || error instanceof FileGone) return null
    throw error
  }
}

/**
 * A project makes one copy at a time, so the last one can exceed the limit by at most its own size.
 */
async function makeWithinLimits(runtime: Runtime, picture: Picture, copy: CopySpec) {
  const bytes = await sumCopyBytes(runtime.db, picture.project_id)
  if (bytes >= limits.site_picture_copies_bytes_max) return null
  const made = await makeCopy(runtime, picture, copy)
  if ('bytes' in made) return made.bytes
  unreadable.set(keyOf(picture, copy), runtime.clock.now_ms() + UNREADABLE_MS)
  return null
}
