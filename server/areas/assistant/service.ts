/**
 * Rules of the assistant settings: reading, replacing as a whole with a version, and queries of
 * other areas. Conversations are in dialogue.ts and relay.ts.
 */
import { isTest, type Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Reader } from '../../kernel/database/database.ts'
import type { ModelConfig } from '../../kernel/config/config-types.ts'
import { listModels, modelOf } from '../../providers/model/model.ts'
import { detectLanguage, fold, languageOf } from '../../providers/model/language/words.ts'
import * as hours from './hours.ts'
import { extractFactPassages, extractInstructionPassages } from './knowledge/passages.ts'
import {
  findProfileFaults,
  completeProfile,
  defaultProfile,
  type ProfileFault,
  type Profile,
} from './profile.ts'
import { writableFields, type Assistant, type AssistantInput } from './schema.ts'
import { chosenModel } from './chosen-model.ts'
import { requireReply, type Spender } from './costs/spend.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { findAddressFault } from './sources/address.ts'
import { composeGreeting } from './dialogue/greeting.ts'
import { setWebsite } from './sources/setting-source.ts'
import * as store from './store.ts'
import { noTools, type ToolSettings } from './tools/tool-settings.ts'

export {
  unindexCollection,
  unindexDocuments,
  readLanguages,
  indexDocuments,
} from './knowledge/documents.ts'
export type { BusinessHours } from './hours.ts'
export { openRelay, type TextRelay } from './dialogue/relay.ts'
export type { ConversationSummary } from './schema.ts'
export { summarizeConversation, type TranscriptTurn } from './summary.ts'
export { hasFreeReply, returnFreeReply, takeFreeReply } from './costs/free-replies.ts'
export {
  refund,
  reserve,
  settle,
  type Payment,
  type Spender,
  type SpendingLimit,
} from './costs/spend.ts'
export type { TokenUsage } from './costs/tokens.ts'
export { chosenModel } from './chosen-model.ts'
export { addFact } from './knowledge/add-fact.ts'
export {
  answerMessage,
  greetVisitor,
  readChatProfile,
  type ChatReply as ChatAnswer,
} from './dialogue/chat/project-chat.ts'

export async function show({ db, runtime, project }: Caller): Promise<Assistant> {
  const found = await store.find(db, project.id)
  const standard = { profile: defaultProfile(project.name), version: 0, updated_at: null }
  return present(found ?? standard, runtime.config.model)
}

/** Replaces the assistant. `if_match` is the expected version; null skips the check. */
export async function putAssistant(
  caller: Caller,
  input: AssistantInput,
  if_match: number | null,
): Promise<Assistant> {
  const { db, runtime, project } = caller
  refuse([...faultsIn(input), ...modelFaults(runtime.config.model, input)])
  const profile = completeProfile(input, project.name)
  await requireAddress(caller, profile.website_url)
  const now = runtime.clock.now()
  const write = { project_id: project.id, profile, now }
  const version = await db.transact(async (tx) => {
    const before = await store.lockProfile(tx, write)
    if (if_match !== null && if_match !== before.version) throw outdated(if_match, before.version)
    const next = before.version + 1
    // The page of the portal sends no model, so an omitted one keeps its value.
    if (input.model === undefined) profile.model = before.model
    await store.replaceProfile(tx, { ...write, version: next })
    const { project_id } = write
    const putAssistant = (source: store.PassageSource, passages: store.NewPassage[]) =>
      store.replacePassages(tx, { project_id, source, passages })
    await putAssistant('fact', extractFactPassages(profile))
    await putAssistant('instruction', extractInstructionPassages(profile))
    const url = profile.website_url
    if (url !== null || before.website_url !== null)
      await setWebsite(tx, runtime, { project_id, url, test: isTest(caller) })
    return next
  })
  return present({ profile, version, updated_at: now }, runtime.config.model)
}

function faultsIn(input: AssistantInput): ProfileFault[] {
  if (Object.keys(input).some((field) => writableFields.includes(field)))
    return findProfileFaults(input)
  const message = `must have at least one of ${writableFields.join(', ')}`
  return [{ path: '', message }]
}

function modelFaults(config: ModelConfig, { model }: AssistantInput): ProfileFault[] {
  const models = listModels(config)
  if (model === undefined || model === null || models.includes(model)) return []
  return [{ path: '/model', message: `must be one of ${models.join(', ')}` }]
}

function refuse(errors: readonly ProfileFault[]): void {
  const [first] = errors
  if (first === undefined) return
  const detail = `${first.path || 'The body'} ${first.message}.`
  throw new Problem('validation_failed', detail, { errors })
}

/** Refuses an address that the crawler would never request. */
async function requireAddress(
  { db, runtime, project }: Caller,
  address: string | null,
): Promise<void> {
  if (address === null) return
  const saved = await store.find(db, project.id)
  if (saved?.profile.website_url === address) return
  const message = await findAddressFault(runtime, address)
  if (message !== null) refuse([{ path: '/website_url', message }])
}

function outdated(if_match: number, current_version: number): Problem {
  const detail = `If-Match has version ${if_match}, but the current version is ${current_version}.`
  return new Problem('version_conflict', detail, { status: 412, current_version })
}

function present(
  stored: { profile: Profile; version: number; updated_at: Date | null },
  config: ModelConfig,
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
    model: modelOf(config, profile.model),
    models: listModels(config),
    version,
    configured: version > 0,
    updated_at: updated_at?.toISOString() ?? null,
  }
}

/** Throws if nothing pays for the next reply of a project's model. */
export async function requireReplyOf(runtime: Runtime, spender: Spender): Promise<void> {
  const model = await chosenModel(runtime, spender.project_id)
  await requireReply(runtime, { ...spender, model })
}

/** The collections that the assistant may look up, and the one for messages. */
export async function readTools(db: Reader, project_id: string): Promise<ToolSettings> {
  return (await store.find(db, project_id))?.tools ?? noTools
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

/** Returns the time zone of a business; null if its assistant was never set up. */
export async function findTimezone(db: Reader, project_id: string): Promise<string | null> {
  return (await store.find(db, project_id))?.profile.timezone ?? null
}

/** The first words of a call, by the settings or a given opening; null if it was never set up. */
export async function previewGreeting(
  db: Reader,
  project_id: string,
  opening: string | null,
): Promise<string | null> {
  const found = await store.find(db, project_id)
  if (found === null) return null
  const { name, greeting, languages } = found.profile
  const language = languages.map(languageOf).find((one) => one !== null) ?? 'en'
  return composeGreeting({ name, greeting: opening ?? greeting, language }).text
}

/** Returns the language of a caller's turns; null if none is dominant. */
export function detectSpokenLanguage(said: readonly string[]): string | null {
  return detectLanguage(said.join(' '))
}

/** The form of a question in which repetitions are equal. */
export function normalizeQuestion(question: string): string {
  return fold(question).slice(0, 300)
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
