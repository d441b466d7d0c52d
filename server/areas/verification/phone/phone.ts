/**
 * Verifies the phone number of the owner by a code, in a text message or spoken in a call. Codes are
 * stored as a MAC. Each limit is counted under locks, because every code costs money.
 */
import { randomInt, timingSafeEqual } from 'node:crypto'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { holdsUnderAnyKey, type MacKey } from '../../../kernel/secrets/crypto.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { carrierOf, CarrierError, type CodeMessage } from '../../../providers/carrier/carrier.ts'
import * as projects from '../../projects/service.ts'
import type { PhoneCode, PhoneCodeInput, PhoneProof } from '../schema.ts'
import { readPhone } from './phone-numbers.ts'
import * as store from './phone-store.ts'

const DIGITS = 6
const DAY_S = 86_400
const HOUR_MS = 3_600_000
const RETRY_AFTER_S = 60

/** Whether this installation can send codes. */
export function canSendCodes(runtime: Runtime): boolean {
  return (carrierOf(runtime)?.sendCode ?? null) !== null
}

export async function sendPhoneCode(
  caller: MemberCaller,
  { phone: text, channel, language }: PhoneCodeInput,
): Promise<PhoneCode> {
  const { runtime, project, person } = caller
  const sendCode = carrierOf(runtime)?.sendCode
  if (!sendCode) throw noSender()
  const read = readPhone(text, { channel, production: runtime.config.production })
  if ('fault' in read) throw invalid('/phone', read.fault)
  const phone = read.e164
  const id = newId(runtime.clock)
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  const now = runtime.clock.now()
  const expires_at = new Date(now.getTime() + limits.phone_code_s * 1000)
  const network_hash = runtime.seal.mac(caller.network ?? '', 'verification.network')
  const origin = { project_id: project.id, person_id: person.id, phone, network_hash }
  await runtime.db.transact(async (tx) => {
    await requireRate(tx, runtime, origin)
    const code_mac = macOf(runtime.seal, id, code)
    await store.replaceCode(tx, { ...origin, id, channel, code_mac, created_at: now, expires_at })
  })
  await send(sendCode, { to: phone, code, channel, language })
  const tries_left = limits.phone_code_tries_max
  return { id, phone, channel, expires_at: expires_at.toISOString(), tries_left }
}

function macOf(key: MacKey, id: string, code: string): Buffer {
  return key.mac(`${id} ${code.replaceAll(/[\s-]/g, '')}`, 'verification.phone_code')
}

/** A code whose sending failed still counts, because it may have been sent and charged. */
async function send(
  sendCode: (message: CodeMessage) => Promise<void>,
  message: CodeMessage,
): Promise<void> {
  try {
    await sendCode(message)
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    if (error.fault === 'refused') {
      throw invalid('/phone', 'The carrier cannot reach this number. Check it, or use another one.')
    }
    throw new Problem('telephony_unavailable', 'The carrier did not send the code.', {
      retry_after_s: RETRY_AFTER_S,
      user_message: 'The code could not be sent at the moment. Try again in a few minutes.',
      cause: error,
    })
  }
}

async function requireRate(
  tx: Transaction,
  runtime: Runtime,
  origin: store.CodeOrigin,
): Promise<void> {
  const { project_id, person_id, phone, network_hash } = origin
  await store.lockKeys(tx, ['all', phone, person_id, network_hash.toString('hex')])
  await requireProject(tx, project_id)
  await requireFreeNumber(tx, origin)
  const now_ms = runtime.clock.now_ms()
  const counts = await store.countCodes(tx, origin, new Date(now_ms - DAY_S * 1000))
  const all = await store.countAll(tx, {
    since: new Date(now_ms - HOUR_MS),
    max: limits.phone_codes_per_hour_max,
  })
  if (all >= limits.phone_codes_per_hour_max) throw tooMany('in this hour', HOUR_MS / 1000)
  if (counts.phone >= limits.phone_codes_per_number_max) throw tooMany('to this number', DAY_S)
  const is_over =
    counts.project >= limits.phone_codes_per_project_max ||
    counts.person >= limits.phone_codes_per_person_max ||
    counts.network >= limits.phone_codes_per_network_max
  if (is_over) throw tooMany('today', DAY_S)
}

async function requireProject(tx: Transaction, project_id: string): Promise<void> {
  if (await projects.findLocked(tx, project_id)) return
  throw new Problem('not_found', 'There is no such project.')
}

async function requireFreeNumber(
  tx: Transaction,
  origin: Pick<store.CodeOrigin, 'project_id' | 'phone'>,
): Promise<void> {
  if ((await store.countProjects(tx, origin)) < limits.phone_number_projects_max) return
  const user_message = `This number has verified ${limits.phone_number_projects_max} projects already. Use another number.`
  throw new Problem('conflict', user_message, {
    user_message,
    next_step: 'Verify this project with the phone number of another person of the company.',
  })
}

type Outcome = 'confirmed' | 'wrong' | 'ended'

/** Verifies the phone if the code is right. A wrong code counts as an attempt. */
export async function confirmPhone(caller: MemberCaller, { id, code }: PhoneProof): Promise<void> {
  const { runtime, project, person } = caller
  const code_id = { project_id: project.id, id }
  const outcome = await runtime.db.transact(async (tx): Promise<Outcome> => {
    // The same order of locks as for a new code.
    await store.lockKeys(tx, ['all'])
    await requireProject(tx, project.id)
    const row = await store.lockCode(tx, code_id)
    const now = runtime.clock.now()
    const is_open =
      row?.person_id === person.id &&
      row.confirmed_at === null &&
      row.expires_at > now &&
      row.attempts < limits.phone_code_tries_max
    if (!row || !is_open) return 'ended'
    await store.countAttempt(tx, code_id)
    const isRight = (key: MacKey) => timingSafeEqual(macOf(key, id, code), row.code_mac)
    if (!holdsUnderAnyKey(runtime.seal, isRight)) return 'wrong'
    await requireFreeNumber(tx, row)
    await store.confirmCode(tx, code_id, now)
    await projects.setPhoneVerified(tx, project.id)
    return 'confirmed'
  })
  if (outcome === 'wrong')
    throw invalid('/code', 'This code is wrong. Check it, or ask for a new one.')
  if (outcome === 'ended') {
    throw invalid('/code', 'This code has expired, or was tried too often. Ask for a new one.')
  }
}

function invalid(path: string, message: string): Problem {
  return new Problem('validation_failed', message, {
    errors: [{ path, message }],
    user_message: message,
  })
}

function tooMany(when: string, retry_after_s: number): Problem {
  const user_message = `Too many codes were sent ${when}. Try again later.`
  return new Problem('rate_limited', user_message, { retry_after_s, user_message })
}

function noSender(): Problem {
  const user_message = 'This server sends no codes, so its operator confirms phone numbers.'
  return new Problem('conflict', user_message, {
    user_message,
    next_step:
      'Ask the operator to set HOMEPORT_CARRIER_CODE_SENDER, or to confirm the number with the ' +
      'command projects set.',
  })
}
