/**
 * Changes of one collection carried out together: its lock is held until the commit is on disk, so
 * one after the other they would wait for each other's, each with a connection in its hands. What
 * the last of them left is remembered, so that the next, if they only add, need not wait for a look
 * at the collection before they write.
 */
import { LRUCache } from 'lru-cache'
import { gather } from '../../kernel/gather.ts'
import type { House } from '../../kernel/house.ts'
import type { Place } from './document-store.ts'
import type { Change, Outcome } from './state.ts'
import { writeAsKnown, writeGroups, type Group, type Known } from './write.ts'

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

function newGathering(house: House, place: Place): Gathering {
  let known: Known | null = null
  const write = async (groups: readonly Group[]) => {
    const before = known
    known = null
    const all = { place, groups }
    const written =
      (before && (await writeAsKnown(house, all, before))) ??
      (await house.db.transact((tx) => writeGroups(tx, house, all)))
    known = written.known
    return written.outcomes
  }
  return gather(write, { items_max: CHANGES_MAX, weigh: ({ changes }) => changes.length })
}
