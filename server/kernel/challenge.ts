/**
 * Proof of work: cheap for a browser that sends one form, expensive for a program that sends
 * thousands. Challenges are compatible with ALTCHA clients. They are signed instead of stored; only
 * spent ones are stored until they expire, so that each is accepted once.
 */
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1'
import type { Challenge } from 'altcha-lib/v1/types'
import { Type, type Static } from 'typebox'
import type { Validator } from 'typebox/compile'
import { schemaCompiler } from './values/typebox.ts'
import type { Runtime } from './runtime.ts'
import type { MacKey } from './secrets/crypto.ts'
import { reconciler } from './jobs/jobs.ts'

export type { Challenge }

export interface SolutionPurpose {
  project_id: string
  /** What a solution permits, such as sending one form. */
  purpose: string
}

export interface ChallengeTerms {
  steps_max: number
  lifetime_s: number
}

const ALGORITHM = 'SHA-256'
const PAYLOAD_CHARACTERS_MAX = 2_000
const SWEEP_EVERY_S = 3_600
const keys = new WeakMap<MacKey, string>()

function keyOf(key: MacKey): string {
  const known = keys.get(key) ?? key.mac('challenge', 'challenge').toString('hex')
  keys.set(key, known)
  return known
}

function nameOf({ project_id, purpose }: SolutionPurpose): string {
  return `${project_id}/${purpose}`
}

export function newChallenge(
  runtime: Runtime,
  purpose: SolutionPurpose,
  { steps_max, lifetime_s }: ChallengeTerms,
): Promise<Challenge> {
  return createChallenge({
    algorithm: ALGORITHM,
    hmacKey: keyOf(runtime.seal),
    maxnumber: steps_max,
    expires: new Date(runtime.clock.now_ms() + lifetime_s * 1000),
    params: { for: nameOf(purpose) },
  })
}

export interface Solved {
  project_id: string
  hash: Buffer
  expires_at: Date
}

/** Verifies a solution without spending it. Returns what it proves, or its fault. */
export async function readSolution(
  runtime: Runtime,
  purpose: SolutionPurpose,
  text: string,
): Promise<Solved | { fault: string }> {
  const payload = readPayload(text)
  if (!payload) return { fault: 'cannot be read' }
  const { expires, for: name } = extractParams(payload)
  const expires_at = new Date(Number(expires) * 1000)
  const { seal } = runtime
  const is_ours =
    (await verifySolution(payload, keyOf(seal), false)) ||
    (seal.previous !== null && (await verifySolution(payload, keyOf(seal.previous), false)))
  if (!is_ours) {
    return { fault: 'does not solve a challenge of this service' }
  }
  if (name !== nameOf(purpose)) return { fault: 'solves a challenge for something else' }
  if (!(expires_at > runtime.clock.now())) return { fault: 'came after the challenge had expired' }
  const hash = Buffer.from(payload.challenge, 'hex')
  return { project_id: purpose.project_id, hash, expires_at }
}

/**
 * Spends a solution. Returns false if it was spent before; only one of concurrent calls returns
 * true.
 */
export async function spend(runtime: Runtime, solved: Solved): Promise<boolean> {
  const row = await runtime.db.transact((tx) =>
    tx
      .insertInto('spent_challenges')
      .values(solved)
      .onConflict((conflict) => conflict.doNothing())
      .returning('hash')
      .executeTakeFirst(),
  )
  return row !== undefined
}

/** Deletes expired challenges, which are refused anyway. */
export const sweepChallenges = reconciler({
  name: 'challenges.sweep',
  every_s: SWEEP_EVERY_S,
  async run(runtime) {
    const now = runtime.clock.now()
    await runtime.db.transact((tx) =>
      tx.deleteFrom('spent_challenges').where('expires_at', '<=', now).execute(),
    )
  },
})

const PayloadShape = Type.Object({
  algorithm: Type.Literal(ALGORITHM),
  challenge: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  number: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  salt: Type.String(),
  signature: Type.String(),
})

let payloads: Validator<Record<never, never>, typeof PayloadShape> | null = null

/** Decodes the base64 JSON of ALTCHA clients; null if it is invalid. */
function readPayload(text: string): Static<typeof PayloadShape> | null {
  if (text.length > PAYLOAD_CHARACTERS_MAX) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
    payloads ??= schemaCompiler().Compile(PayloadShape)
    return payloads.Check(value) ? value : null
  } catch {
    return null
  }
}
