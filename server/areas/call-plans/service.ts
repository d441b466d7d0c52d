/**
 * The rules of call plans: shown and replaced for one number, and looked up for each call. The
 * numbers area, the only importer, passes in the facts about the number.
 */
import assert from 'node:assert/strict'
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import { verbatim } from '../../kernel/database/driver/verbatim.ts'
import * as assistant from '../assistant/service.ts'
import { planLimits } from './nodes/node-fields.ts'
import { outlinePlan } from './outline.ts'
import type { CallPlan, CallPlanReply, CallStep, PlanCheck } from './schema.ts'
import * as store from './store.ts'
import type { NumberFacts } from './targets.ts'
import type { PlanFault } from './validate/graph.ts'
import { findFaults, isPlan, findTargetRefusal, listMediaIds } from './validate/validate.ts'
import { findWarnings } from './validate/warnings.ts'

export type { NumberFacts, TargetRules } from './targets.ts'
export { describeTargetRefusal } from './targets.ts'
export type { CallPlan } from './schema.ts'
export type {
  CallCommand,
  CallEvent,
  CallOutcome,
  CallState,
  HandOverOptions,
  PlanStep,
} from './run/call-state.ts'
export { beginCall, interpret } from './run/interpret.ts'
export { nodeSchemas } from './nodes/node-schemas.ts'

export interface PlanInput {
  number: NumberFacts
  /** Every number of the project in E.164; a call forwarded to one of them could loop. */
  own_numbers: readonly string[]
  /** The parsed body, not yet validated. */
  plan: unknown
  /** The unparsed body. */
  text: string
  /** Returns those of the ids that are MP3 or WAV files of the project's media library. */
  findPlayable: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  /** The version that the client has read; null replaces any version. */
  if_match: number | null
  /** Whether the assistant can answer phone calls of this project; true by default. */
  voice_ai?: boolean
  /**
   * Runs first in the transaction; may lock the number, and throws if it was released meanwhile.
   */
  hold?: (tx: Transaction) => Promise<void>
}

const VERSION_OF_NONE = 0

// Maximum number of faults in a reply. A plan of 64 kB can have 28,000.
const FAULTS_TOLD_MAX = 500

/**
 * Returns the plan that calls to the number follow. If the number has none, returns the plan of the
 * project with version 0.
 */
export async function showPlan(caller: Caller, number: NumberFacts): Promise<CallPlanReply> {
  const { db, project } = caller
  const stored = await store.findApplyingPlan(db, project.id, number.id)
  if (stored && stored.number_id !== null) {
    return present(number.id, stored.version, stored.plan)
  }
  const text = stored?.plan ?? JSON.stringify(await defaultPlan(db, project.id))
  return {
    number_id: number.id,
    version: VERSION_OF_NONE,
    source: 'project',
    plan: verbatim(text),
  }
}

/** Replaces the number's plan. If `if_match` is not null, only if the plan has that version. */
export async function putPlan(caller: Caller, input: PlanInput): Promise<CallPlanReply> {
  await requireUsable(input)
  await requireAssistant(caller, input)
  const { db, runtime, project } = caller
  const { number, text, if_match } = input
  const write = { project_id: project.id, number_id: number.id, text, now: runtime.clock.now() }
  const version = await db.transact(async (tx) => {
    await input.hold?.(tx)
    if (if_match === null) return store.replace(tx, write)
    const replaced = await store.replaceVersion(tx, if_match, write)
    return replaced ?? refuseVersion(tx, write, if_match)
  })
  return present(number.id, version, text)
}

type CheckedInput = Pick<PlanInput, 'plan' | 'text' | 'number' | 'own_numbers' | 'findPlayable'>

async function requireUsable(input: CheckedInput): Promise<void> {
  const { plan, text, number, own_numbers } = input
  const bytes = Buffer.byteLength(text)
  const isChecked = bytes <= planLimits.bytes_max
  const faults = [...findFaults(plan, bytes), ...(isChecked ? await findMediaFaults(input) : [])]
  if (faults.length > 0) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
    const errors = faults.slice(0, FAULTS_TOLD_MAX)
    throw new Problem('validation_failed', `The call plan has ${count}.`, { errors })
  }
  const refusal = findTargetRefusal(plan, { number, own_numbers })
  if (refusal) throw new Problem(refusal.slug, refusal.detail, { errors: refusal.errors })
}

async function findMediaFaults({ plan, findPlayable }: CheckedInput): Promise<PlanFault[]> {
  const named = listMediaIds(plan)
  if (named.length === 0) return []
  const playable = await findPlayable(named.map(({ id }) => id))
  return named
    .filter(({ id }) => !playable.has(id))
    .map(({ path }) => ({ path, message: 'must be an MP3 or WAV file of the media library' }))
}

async function requireAssistant(
  caller: Caller,
  { plan, voice_ai }: Pick<PlanInput, 'plan' | 'voice_ai'>,
): Promise<void> {
  assert(isPlan(plan), 'A plan without faults and refusals has the shape of a plan.')
  const agents = Object.values(plan.nodes).filter(({ type }) => type === 'ai_agent')
  if (agents.length === 0) return
  if (!(await assistant.isConfigured(caller.db, caller.project.id))) {
    const detail = 'The call plan hands calls to the assistant, which was never set up.'
    throw new Problem('assistant_not_configured', detail)
  }
  if (voice_ai === false) {
    const detail = 'The call plan hands calls to the assistant, which cannot take phone calls.'
    throw new Problem('voice_ai_not_enabled', detail)
  }
}

/** Checks a plan as putPlan does, without storing it. */
export async function checkPlan(caller: Caller, input: CheckedInput): Promise<PlanCheck> {
  const { plan, text } = input
  const isChecked = Buffer.byteLength(text) <= planLimits.bytes_max
  const warnings = isChecked ? findWarnings(plan) : []
  try {
    await requireUsable(input)
    await requireAssistant(caller, input)
    return { errors: [], refusal: null, warnings }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { errors: [...(error.extra.errors ?? [])], refusal: error.slug, warnings }
  }
}

async function refuseVersion(
  tx: Transaction,
  { project_id, number_id }: store.PlanWrite,
  if_match: number,
): Promise<never> {
  const current_version = await store.readVersion(tx, project_id, number_id)
  const detail = `If-Match has version ${if_match}, but the plan has version ${current_version}.`
  throw new Problem('version_conflict', detail, { status: 412, current_version })
}

/** Deletes a number's plan, in the transaction that releases the number. */
export function removePlanOf(
  tx: Transaction,
  project_id: string,
  number_id: string,
): Promise<void> {
  return store.remove(tx, project_id, number_id)
}

export interface PlanOutlines {
  of(number_id: string): { source: 'number' | 'project' | 'default'; steps: CallStep[] }
}

/** The first steps of calls to the numbers of a project. */
export async function outlinePlans(db: Reader, project_id: string): Promise<PlanOutlines> {
  const stored = await store.listPlans(db, project_id)
  const outlines = new Map(
    stored.map(({ number_id, plan }) => [number_id, outlinePlan(parsePlan(plan))]),
  )
  const usual = outlinePlan(await defaultPlan(db, project_id))
  return {
    of(number_id) {
      const own = outlines.get(number_id)
      if (own) return { source: 'number', steps: own }
      const shared = outlines.get(null)
      return shared ? { source: 'project', steps: shared } : { source: 'default', steps: usual }
    },
  }
}

/** Returns the plan that a call to the number follows. */
export async function findPlanFor(
  db: Reader,
  project_id: string,
  number_id: string,
): Promise<CallPlan> {
  const stored = await store.findApplyingPlan(db, project_id, number_id)
  if (!stored) return defaultPlan(db, project_id)
  return parsePlan(stored.plan)
}

/** Returns the plan that a goto node with plan: 'project' continues with; null if there is no such node. */
export async function findProjectPlan(
  db: Reader,
  project_id: string,
  { nodes }: CallPlan,
): Promise<CallPlan | null> {
  const isNamed = Object.values(nodes).some(
    (node) => node.type === 'goto' && node.plan !== undefined,
  )
  if (!isNamed) return null
  const text = await store.findProjectPlan(db, project_id)
  return text === undefined ? defaultPlan(db, project_id) : parsePlan(text)
}

function parsePlan(text: string): CallPlan {
  const plan: unknown = JSON.parse(text)
  assert(isPlan(plan), 'A plan is checked before it is stored.')
  return plan
}

/**
 * Returns the plan for a project without a stored one: the assistant answers, or a text asks the
 * caller to try later.
 */
async function defaultPlan(db: Reader, project_id: string): Promise<CallPlan> {
  if (await assistant.isConfigured(db, project_id)) {
    return { entry: 'assistant', nodes: { assistant: { id: 'assistant', type: 'ai_agent' } } }
  }
  const text = 'Thank you for calling. We cannot take your call right now. Please try again later.'
  const goodbye = { id: 'goodbye', type: 'hangup', text, language: 'en' } as const
  return { entry: 'goodbye', nodes: { goodbye } }
}

/** Returns why calls to a number are only told to try later; empty if they are answered. */
export async function findSilence(
  db: Reader,
  project_id: string,
  number_id: string,
): Promise<string[]> {
  if (await store.findApplyingPlan(db, project_id, number_id)) return []
  if (await assistant.isConfigured(db, project_id)) return []
  return [
    'Callers are only asked to try again later: set up the assistant, or store a call plan of the number.',
  ]
}

function present(number_id: string, version: number, text: string): CallPlanReply {
  const warnings = findWarnings(JSON.parse(text))
  return {
    number_id,
    version,
    source: 'number',
    plan: verbatim(text),
    ...(warnings.length > 0 && { warnings }),
  }
}
