/** Erases the records about one person, and reports what was erased and kept. */
import type { Caller } from '../../../contract/caller.ts'
import type { Loss } from '../../../contract/operation.ts'
import type { PersonalRecords } from '../../../contract/person/person.ts'
import { findDeclared } from '../of-areas.ts'
import { newSearch, readPerson, requireScopes } from './person-input.ts'
import type { EraseInput, PersonErasure } from './schema.ts'
import { inTurn, listNotSearched, search, titleOf } from './search.ts'

/** Records that one transaction erases. */
const BATCH = 100

export async function erase(
  caller: Caller,
  { mentions = false, ...input }: EraseInput,
): Promise<PersonErasure> {
  const person = readPerson(input)
  requireScopes(caller, 'read')
  requireScopes(caller, 'write')
  return inTurn(caller.project.id, async () => {
    const wanted = newSearch(caller, person)
    const kinds: PersonErasure['kinds'] = []
    for (const records of findDeclared(caller.runtime).personalRecords) {
      const done = { erased: 0, kept: 0 }
      for await (const page of records.find(caller.db, wanted)) {
        const chosen = page.filter(({ match }) => mentions || match === 'own')
        done.kept += page.length - chosen.length
        done.erased += await erasePage(caller, records, chosen)
      }
      kinds.push({ ...titleOf(records), ...done })
    }
    return { kinds, not_searched: listNotSearched() }
  })
}

async function erasePage(
  caller: Caller,
  records: PersonalRecords,
  page: Parameters<PersonalRecords['erase']>[2],
): Promise<number> {
  let erased = 0
  for (let from = 0; from < page.length; from += BATCH) {
    const batch = page.slice(from, from + BATCH)
    erased += await caller.db.transact((tx) => records.erase(tx, caller, batch))
  }
  return erased
}

/** How many records would be erased now; null if there are none. */
export async function findLoss(
  caller: Caller,
  { mentions = false, ...input }: EraseInput,
): Promise<Loss | null> {
  const { kinds } = await search(caller, input)
  const parts = kinds.flatMap(({ title, own, mentions: mentioned }) => {
    const count = own + (mentions ? mentioned : 0)
    return count === 0 ? [] : [`${title}: ${count}`]
  })
  if (parts.length === 0) return null
  return { about: `Erases these records permanently. ${parts.join('. ')}.`, instead: null }
}
