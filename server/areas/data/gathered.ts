/**
 * Changes of one collection carried out together: its lock is held until the commit is on disk, so
 * one after the other they would wait for each other's, each with a connection in its hands. What
 * the last of them left is remembered, so that the next, if they only add, need not wait for a look
 * at the collection before they write. And what those under way are about to leave is foreseen, so
 * that, when many wait, PostgreSQL finds the next ones ready.
 */
import { LRUCache } from 'lru-cache'
import { gather } from '../../kernel/gather.ts'
import type { House } from '../../kernel/house.ts'
import type { Place } from './document-store.ts'
import type { Change, Outcome } from './state.ts'
import type { LockedCollection } from './store.ts'
import {
  foresee,
  writeForeseen,
  writeGroups,
  type Foreseen,
  type Group,
  type Known,
  type Written,
} from './write.ts'

/** Of all that is carried out in one transaction; more would let others wait for long. */
const CHANGES_MAX = 1000
const GATHERINGS_KEPT_MAX = 1000

type Gathering = (group: Group) => Promise<Outcome[]>
const gatherings = new WeakMap<House, LRUCache<string, Gathering>>()

/** Carries out changes together with whatever else is asked of the collection meanwhile. */
export function carryOutAll(house: House, place: Place, group: Group): Promise<Outcome[]> {
  const ours = gatherings.get(house) ?? new LRUCache({ max: GATHERINGS_KEPT_MAX })
  gatherings.set(house, ours)
  const gathering = ours.get(place.collection_id) ?? newGathering(house, place)
  ours.set(place.collection_id, gathering)
  return gathering(group)
}

export async function carryOut(house: House, place: Place, change: Change): Promise<Outcome> {
  const [outcome] = await carryOutAll(house, place, { changes: [change] })
  if (!outcome) throw new Error('Every change has an outcome.')
  return outcome
}

/** What changes leave. */
interface Left {
  /** The collection, as far as it can be foreseen. */
  row: LockedCollection | null
  /** The same once they are done, whether well or not. */
  known: Promise<Known | null>
}

function newGathering(house: House, place: Place): Gathering {
  let last: Left = { row: null, known: Promise.resolve(null) }

  async function write(groups: readonly Group[]): Promise<Outcome[][]> {
    const before = last
    const { row } = before
    const foreseen = row && foresee(house, { place, groups }, row)
    const done = Promise.withResolvers<Known | null>()
    const left: Left = { row: foreseen?.after ?? null, known: done.promise }
    last = left
    const known = await before.known
    let after: Known | null = null
    try {
      const is_as_foreseen = known === null || known.row === row
      const ready = is_as_foreseen ? foreseen : foresee(house, { place, groups }, known.row)
      const written = await writeReady(ready, known, groups)
      after = written.known
      return written.outcomes
    } finally {
      left.row = after?.row ?? null
      done.resolve(after)
    }
  }

  async function writeReady(
    ready: Foreseen | null,
    known: Known | null,
    groups: readonly Group[],
  ): Promise<Written> {
    const written = ready && known && (await writeForeseen(house, ready, known.written_by))
    return written ?? house.db.transact((tx) => writeGroups(tx, house, { place, groups }))
  }

  return gather(write, {
    items_max: CHANGES_MAX,
    weigh: ({ changes }) => changes.length,
    full_at_once: 2,
  })
}
