/**
 * Changes of one collection carried out together: its lock is held until the commit is on disk, so
 * one after the other they would wait for each other's, each with a connection in its hands. What
 * the last of them left is remembered, so that the next, if they only add, need not wait for a look
 * at the collection before they write. And what those under way are about to leave is foreseen, so
 * that, when many wait, the next are in PostgreSQL's hands before it is done with them.
 */
import { LRUCache } from 'lru-cache'
import { gather } from '../../kernel/database/driver/gather.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { Place } from './document-store.ts'
import type { Change, Outcome } from './state.ts'
import {
  foresee,
  writeForeseen,
  writeGroups,
  type Group,
  type Known,
  type Written,
} from './write.ts'

/** Of all that is carried out in one transaction; more would let others wait for long. */
const CHANGES_MAX = 1000
const GATHERINGS_KEPT_MAX = 1000

type Gathering = (group: Group) => Promise<Outcome[]>
const gatherings = new WeakMap<Runtime, LRUCache<string, Gathering>>()

/** Carries out changes together with whatever else is asked of the collection meanwhile. */
export function carryOutAll(runtime: Runtime, place: Place, group: Group): Promise<Outcome[]> {
  const ours = gatherings.get(runtime) ?? new LRUCache({ max: GATHERINGS_KEPT_MAX })
  gatherings.set(runtime, ours)
  const gathering = ours.get(place.collection_id) ?? newGathering(runtime, place)
  ours.set(place.collection_id, gathering)
  return gathering(group)
}

export async function carryOut(runtime: Runtime, place: Place, change: Change): Promise<Outcome> {
  const [outcome] = await carryOutAll(runtime, place, { changes: [change] })
  if (!outcome) throw new Error('Every change has an outcome.')
  return outcome
}

/** What a set of changes leaves. */
interface Left {
  /** The collection, as far as it can be foreseen at the time. */
  foreseen: Known | null
  under_way: boolean
  /** The collection as they left it, once they are done, whether well or not. */
  done: Promise<Known | null>
}

function newGathering(runtime: Runtime, place: Place): Gathering {
  let last: Left = { foreseen: null, under_way: false, done: Promise.resolve(null) }

  async function write(groups: readonly Group[]): Promise<Outcome[][]> {
    const before = last
    const done = Promise.withResolvers<Known | null>()
    const left: Left = { foreseen: null, under_way: true, done: done.promise }
    last = left
    let known: Known | null = null
    try {
      const written = await writeBehind(before, left, groups)
      known = written.known
      return written.outcomes
    } finally {
      left.foreseen = known
      left.under_way = false
      done.resolve(known)
    }
  }

  /** By what is foreseen of those before; else by what they left; else by a look at the collection. */
  async function writeBehind(before: Left, left: Left, groups: readonly Group[]): Promise<Written> {
    const { foreseen, under_way } = before
    const quick = await writeBy(foreseen, left, groups)
    if (quick) return quick
    const known = await before.done
    // It may have come otherwise, or not have had the lock yet.
    const late = under_way ? await writeBy(known, left, groups) : null
    return late ?? runtime.db.transact((tx) => writeGroups(tx, runtime, { place, groups }))
  }

  async function writeBy(known: Known | null, left: Left, groups: readonly Group[]) {
    const ready = known && foresee(runtime, { place, groups }, known)
    left.foreseen = ready?.known ?? null
    return ready && writeForeseen(runtime, ready)
  }

  return gather(write, {
    items_max: CHANGES_MAX,
    weigh: ({ changes }) => changes.length,
    full_at_once: 2,
  })
}
