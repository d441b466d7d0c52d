/** The human verification that starts a conversation in a widget. */
import type { GuestCaller } from '../../../contract/operations/guests.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { newChallenge, readSolution, spend } from '../../../kernel/challenge.ts'
import { createSlots, type Slots } from '../../../kernel/limits/slots.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { verifyHuman } from '../../../providers/challenge/challenge.ts'
import type { ChatChallenge } from './guest-schema.ts'

type Kind = 'altcha' | 'turnstile' | 'hcaptcha'

/** Checks by the provider of all projects at once, and how long one more waits for its turn. */
const CHECKS_MAX = 40
const WAITING_MAX = 200
const WAITING_EACH_MAX = 10
const WAIT_MS_MAX = 10_000
const RETRY_AFTER_S = 5

const checks = new WeakMap<Runtime, Slots>()

/** The share of a project in the checks by the provider, so that one project leaves room to others. */
function checksOf(runtime: Runtime): Slots {
  const slots =
    checks.get(runtime) ??
    createSlots({
      name: 'human verifications are checked',
      units: CHECKS_MAX,
      units_each: limits.chat_verifications_per_project_max,
      waiting_max: WAITING_MAX,
      waiting_each_max: WAITING_EACH_MAX,
      wait_ms_max: WAIT_MS_MAX,
      retry_after_s: RETRY_AFTER_S,
    })
  checks.set(runtime, slots)
  return slots
}

/** A solution permits one conversation with this token on pages of this origin. */
function purposeOf({ project, token_id, origin }: GuestCaller) {
  return { project_id: project.id, purpose: `chat/${token_id}/${origin}` }
}

export async function createChallenge(guest: GuestCaller): Promise<ChatChallenge> {
  const { algorithm, challenge, salt, signature } = await newChallenge(
    guest.runtime,
    purposeOf(guest),
    {
      steps_max: limits.chat_challenge_steps_max,
      lifetime_s: limits.chat_challenge_lifetime_s,
    },
  )
  const maxnumber = limits.chat_challenge_steps_max
  return { algorithm, challenge, maxnumber, salt, signature }
}

/**
 * Throws challenge_failed unless a new result of the verification is given, and chat_unavailable if
 * its provider does not answer.
 */
export async function requireHuman(guest: GuestCaller, kind: Kind, result: string): Promise<void> {
  if (kind === 'altcha') return requireSolution(guest, result)
  const { runtime, project, origin } = guest
  const { hostname } = new URL(origin)
  const verdict = await checksOf(runtime).run(project.id, () =>
    verifyHuman(runtime, { kind, result, hostname }),
  )
  if (verdict === 'unreachable')
    throw new Problem('chat_unavailable', 'The human verification cannot be checked now.')
  if (verdict === 'refused')
    throw failed('The provider of the human verification does not confirm this result.')
  // Providers accept a result once, but may confirm a repetition within seconds.
  const expires_at = new Date(runtime.clock.now_ms() + limits.chat_challenge_lifetime_s * 1000)
  const is_new = await spend(runtime, { project_id: project.id, hash: sha256(result), expires_at })
  if (!is_new) throw failed('This result was used before.')
}

async function requireSolution(guest: GuestCaller, result: string): Promise<void> {
  const read = await readSolution(guest.runtime, purposeOf(guest), result)
  if ('fault' in read) throw failed(`The solution ${read.fault}.`)
  if (!(await spend(guest.runtime, read))) throw failed('The solution was used before.')
}

function failed(detail: string): Problem {
  return new Problem('challenge_failed', detail)
}
