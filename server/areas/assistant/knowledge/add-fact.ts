/** Adds one fact to the assistant of a project, without its other settings. */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { fold } from '../../../providers/model/language/words.ts'
import { defaultProfile, type Fact, type Profile } from '../profile.ts'
import { FACTS_MAX } from '../schema.ts'
import * as store from '../store.ts'
import { extractFactPassages } from './passages.ts'

export interface NewFact {
  project: { id: string; name: string }
  fact: Fact
}

interface Added {
  replaced: boolean
  /** Number of facts now. */
  facts: number
  version: number
}

/**
 * Adds the fact, or replaces the answer of the fact with the same question. Sets the assistant up if it
 * never was. Returns null, writing nothing, if the assistant has the maximum of facts.
 */
export async function addFact(
  tx: Transaction,
  { clock }: Runtime,
  { project, fact }: NewFact,
): Promise<Added | null> {
  const project_id = project.id
  const now = clock.now()
  const write = { project_id, profile: defaultProfile(project.name), now }
  const { version } = await store.lockProfile(tx, write)
  const profile = (await store.find(tx, project_id))?.profile ?? write.profile
  const place = profile.facts.findIndex((known) => isSame(known, fact))
  const facts = place < 0 ? [...profile.facts, fact] : profile.facts.with(place, fact)
  if (facts.length > FACTS_MAX) return null
  await saveFacts(tx, { project_id, profile: { ...profile, facts }, now, version: version + 1 })
  return { replaced: place >= 0, facts: facts.length, version: version + 1 }
}

async function saveFacts(
  tx: Transaction,
  write: store.ProfileWrite & { profile: Profile; version: number },
): Promise<void> {
  const { project_id, profile } = write
  await store.replaceProfile(tx, write)
  const passages = extractFactPassages(profile)
  await store.replacePassages(tx, { project_id, source: 'fact', passages })
}

/** Questions are compared in lower case without accents and punctuation. */
function isSame(known: Fact, fact: Fact): boolean {
  return fold(known.question) === fold(fact.question)
}
