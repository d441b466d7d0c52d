/** Lists the records about one person, by kind. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { personalDataKinds, type PersonalDataKind } from '../../../contract/personal-data.ts'
import type { PersonalRecords, PersonRecord } from '../../../contract/person/person.ts'
import { StatementTimeout } from '../../../kernel/database/database.ts'
import { createSlots } from '../../../kernel/limits/slots.ts'
import { findDeclared } from '../of-areas.ts'
import { newSearch, readPerson, requireScopes } from './person-input.ts'
import type { PersonInput, PersonSearch } from './schema.ts'

/** A search reads all records of its project. */
const searchSlots = createSlots({
  name: 'the data of a person is searched',
  units: 3,
  units_each: 1,
  waiting_max: 30,
  waiting_each_max: 3,
  wait_ms_max: 20_000,
  retry_after_s: 10,
})

/** A slow client keeps its slot, so exports have slots of their own. */
export const exportSlots = createSlots({
  name: 'the data of a person is exported',
  units: 50,
  units_each: 1,
  waiting_max: 50,
  waiting_each_max: 2,
  wait_ms_max: 20_000,
  retry_after_s: 30,
})

/** Runs when no other search of the project does. Throws 503 if the database is too slow. */
export function inTurn<Result>(project_id: string, work: () => Promise<Result>): Promise<Result> {
  return searchSlots.run(project_id, work).catch((error: unknown) => {
    if (!(error instanceof StatementTimeout)) throw error
    const user_message = 'The search took too long. Try again in a minute.'
    throw new Problem('service_unavailable', user_message, { user_message, retry_after_s: 60 })
  })
}

type FoundKind = PersonSearch['kinds'][number]

export async function search(caller: Caller, input: PersonInput): Promise<PersonSearch> {
  const person = readPerson(input)
  requireScopes(caller, 'read')
  const { runtime, project } = caller
  return inTurn(project.id, async () => {
    const wanted = newSearch(caller, person)
    const kinds: FoundKind[] = []
    // Not concurrently, because documents are matched with the calls and conversations found before.
    for (const records of findDeclared(runtime).personalRecords) {
      const found: FoundKind = { ...titleOf(records), own: 0, mentions: 0, records: [] }
      for await (const page of records.find(caller.db, wanted)) addPage(found, page)
      kinds.push(found)
    }
    return { kinds, not_searched: listNotSearched() }
  })
}

function addPage(found: FoundKind, page: readonly PersonRecord[]): void {
  const own = page.filter(({ match }) => match === 'own').length
  found.own += own
  found.mentions += page.length - own
  const room = limits.person_records_shown_max - found.records.length
  for (const { id, match, created_at, collection } of page.slice(0, room))
    found.records.push({ id, match, created_at: created_at.toISOString(), collection })
}

export function titleOf({ kinds: [kind] }: PersonalRecords): {
  kind: PersonalDataKind
  title: string
} {
  return { kind, title: personalDataKinds.find((one) => one.kind === kind)?.title ?? kind }
}

export function listNotSearched(): PersonSearch['not_searched'] {
  return personalDataKinds.flatMap(({ kind, title, not_searched: reason }) =>
    reason === null ? [] : [{ kind, title, reason }],
  )
}
