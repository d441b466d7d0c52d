/**
 * Rules of the assistant settings: reading, replacing as a whole with a version, and queries of
 * other areas. Conversations are in dialogue.ts and relay.ts.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Reader } from '../../kernel/database/database.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import { OutboundError } from '../../kernel/outbound/outbound.ts'
import { modelName } from '../../providers/model/model.ts'
import { detectLanguage } from '../../providers/model/language/words.ts'
import * as hours from './hours/hours.ts'
import { crawlAddress, indexWebsite } from './jobs.ts'
import { extractFactPassages, extractInstructionPassages } from './knowledge/passages.ts'
import {
  findProfileFaults,
  completeProfile,
  defaultProfile,
  type ProfileFault,
  type Profile,
} from './profile.ts'
import { writableFields, type Assistant, type AssistantInput } from './schema.ts'
import * as store from './store.ts'

export {
  unindexCollection,
  unindexDocuments,
  readLanguages,
  indexDocuments,
} from './knowledge/documents.ts'
export type { BusinessHours } from './hours/hours.ts'
export { openRelay, type TextRelay } from './dialogue/relay.ts'
export type { ConversationSummary } from './schema.ts'
export { summarizeConversation, type TranscriptTurn } from './summary.ts'
export { requireReply, type TestCall } from './test-replies/pay.ts'

export async function show({ db, runtime, project }: Caller): Promise<Assistant> {
  const found = await store.find(db, project.id)
  const standard = { profile: defaultProfile(project.name), version: 0, updated_at: null }
  return present(found ?? standard, modelName(runtime.config.model))
}

/** Replaces the assistant. `if_match` is the expected version; null skips the check. */
export async function putAssistant(
  caller: Caller,
  input: AssistantInput,
  if_match: number | null,
): Promise<Assistant> {
  const { db, runtime, project } = caller
  refuse(faultsIn(input))
  const profile = completeProfile(input, project.name)
  await requireAddress(caller, profile.website_url)
  const now = runtime.clock.now()
  const write = { project_id: project.id, profile, now }
  const version = await db.transact(async (tx) => {
    const before = await store.lockProfile(tx, write)
    if (if_match !== null && if_match !== before.version) throw outdated(if_match, before.version)
    const next = before.version + 1
    await store.replaceProfile(tx, { ...write, version: next })
    const { project_id } = write
    const putAssistant = (source: store.PassageSource, passages: store.NewPassage[]) =>
      store.replacePassages(tx, { project_id, source, passages })
    await putAssistant('fact', extractFactPassages(profile))
    await putAssistant('instruction', extractInstructionPassages(profile))
    if (before.website_url !== profile.website_url) await putAssistant('website', [])
    if (profile.website_url !== null) {
      await enqueue(tx, runtime, indexWebsite, { payload: {}, project_id, dedupe_key: project_id })
    }
    return next
  })
  return present({ profile, version, updated_at: now }, modelName(runtime.config.model))
}

function faultsIn(input: AssistantInput): ProfileFault[] {
  if (Object.keys(input).some((field) => writableFields.includes(field)))
    return findProfileFaults(input)
  const message = `must have at least one of ${writableFields.join(', ')}`
  return [{ path: '', message }]
}

function refuse(errors: readonly ProfileFault[]): void {
  const [first] = errors
  if (first === undefined) return
  const detail = `${first.path || 'The body'} ${first.message}.`
  throw new Problem('validation_failed', detail, { errors })
}

/**
 * Refuses an address that the crawler would never request. Accepts a host that does not resolve at
 * the moment, because the address is checked again at each request.
 */
async function requireAddress(
  { db, runtime, project }: Caller,
  address: string | null,
): Promise<void> {
  if (address === null) return
  const saved = await store.find(db, project.id)
  if (saved?.profile.website_url === address) return
  try {
    await runtime.outbound.check(crawlAddress(address, runtime.config.egress_allow_private))
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.fault !== 'invalid_url' && error.fault !== 'not_public_host') return
    refuse([
      { path: '/website_url', message: `cannot be used: ${error.message.replace(/\.$/, '')}` },
    ])
  }
}

function outdated(if_match: number, current_version: number): Problem {
  const detail = `If-Match has version ${if_match}, but the current version is ${current_version}.`
  return new Problem('version_conflict', detail, { status: 412, current_version })
}

function present(
  stored: { profile: Profile; version: number; updated_at: Date | null },
  model: string,
) {
  const { profile, version, updated_at } = stored
  return {
    name: profile.name,
    greeting: profile.greeting,
    instructions: profile.instructions,
    languages: profile.languages,
    voice: profile.voice,
    timezone: profile.timezone,
    opening_hours: profile.opening_hours,
    closures: profile.closures,
    website_url: profile.website_url,
    facts: profile.facts,
    transfer: profile.transfer,
    model,
    version,
    configured: version > 0,
    updated_at: updated_at?.toISOString() ?? null,
  }
}

/** Whether PUT /assistant was ever called for a project. */
export function isConfigured(db: Reader, project_id: string): Promise<boolean> {
  return store.exists(db, project_id)
}

/** Returns contacts and time zone of a business. */
export async function readContacts(
  db: Reader,
  project_id: string,
): Promise<Pick<Profile, 'transfer' | 'timezone'>> {
  const { transfer, timezone } = (await store.find(db, project_id))?.profile ?? defaultProfile('')
  return { transfer, timezone }
}

/** Returns the language of a caller's turns; null if none is dominant. */
export function detectSpokenLanguage(said: readonly string[]): string | null {
  return detectLanguage(said.join(' '))
}

/** Returns the opening hours of a project; null if none are set. */
export async function readHours(
  db: Reader,
  project_id: string,
): Promise<{ hours: Pick<Profile, keyof hours.BusinessHours> | null }> {
  const found = await store.find(db, project_id)
  if (found === null || found.profile.opening_hours.length === 0) return { hours: null }
  const { timezone, opening_hours, closures } = found.profile
  return { hours: { timezone, opening_hours, closures } }
}

/** Whether a business is open at an ISO 8601 instant. */
export function isOpen(of: hours.BusinessHours, at: string): boolean {
  return hours.isOpen(of, new Date(at))
}
