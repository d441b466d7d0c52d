/**
 * Counts and charges checked emails under the lock of the module, so that two requests at once never
 * exceed a limit.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import * as billing from '../../billing/service.ts'
import { lockSettings, requireRunning } from '../settings/settings.ts'
import * as settingsStore from '../settings/settings-store.ts'
import {
  attempt,
  countFresh,
  keepProblem,
  listReached,
  requireRoom,
  todayOf,
  type CheckedEmail,
} from './check.ts'

/** Returns the Problems of those that are not accepted. All are in the same mode. */
export async function reserveAll(
  tx: Transaction,
  caller: Caller,
  emails: readonly CheckedEmail[],
): Promise<Map<CheckedEmail, Problem>> {
  const problems = new Map<CheckedEmail, Problem>()
  const [first] = emails
  if (!first) return problems
  const { runtime, project } = caller
  requireRunning(await lockSettings(tx, runtime, project.id))
  const place = { project_id: project.id, test: first.test, day: todayOf(caller) }
  const before = await settingsStore.readDay(tx, place)
  const fitting: CheckedEmail[] = []
  let counts = none
  for (const email of emails.filter((one) => listReached(one).length > 0)) {
    const today = addUp(before, counts)
    const refusal = attempt(() => requireRoom(email, today))
    if (refusal instanceof Problem) problems.set(email, refusal)
    else fitting.push(email)
    if (!(refusal instanceof Problem)) counts = addUp(counts, countsOf(email))
  }
  const unpaid = first.test
    ? new Map<CheckedEmail, Problem>()
    : await chargeAll(tx, caller, fitting)
  for (const [email, problem] of unpaid) problems.set(email, problem)
  const accepted = fitting.filter((email) => !unpaid.has(email)).map(countsOf)
  if (accepted.length > 0)
    await settingsStore.addToDay(tx, { ...place, ...accepted.reduce(addUp, none) })
  return problems
}

const none: settingsStore.DayRow = { recipients: 0, new_recipients: 0 }

/** Charges emails together; if that is refused, one by one. Returns those that cannot be paid. */
async function chargeAll(
  tx: Transaction,
  caller: Caller,
  emails: readonly CheckedEmail[],
): Promise<Map<CheckedEmail, Problem>> {
  const refusal = await charge(tx, caller, emails).catch(keepProblem)
  if (!(refusal instanceof Problem)) return new Map()
  if (emails.length === 1 && emails[0]) return new Map([[emails[0], refusal]])
  const unpaid = new Map<CheckedEmail, Problem>()
  for (const email of emails) {
    const problem = await charge(tx, caller, [email]).catch(keepProblem)
    if (problem instanceof Problem) unpaid.set(email, problem)
  }
  return unpaid
}

async function charge(
  tx: Transaction,
  { runtime, project }: Caller,
  emails: readonly CheckedEmail[],
): Promise<void> {
  const [first] = emails
  const count = emails.reduce((sum, email) => sum + listReached(email).length, 0)
  const amount_micro = billing.findPrice(runtime, 'email.message') * BigInt(count)
  if (!first || amount_micro === 0n) return
  await billing.charge(tx, runtime, {
    project_id: project.id,
    amount_micro,
    source: 'email',
    description: count === 1 ? 'Email' : `Email to ${count} recipients`,
    quantity: count,
    unit: 'message',
    reference_id: first.id,
    reference: `email:${first.id}:${emails.length}`,
  })
}

function countsOf(email: CheckedEmail): settingsStore.DayRow {
  return { recipients: listReached(email).length, new_recipients: countFresh(email) }
}

function addUp(one: settingsStore.DayRow, other: settingsStore.DayRow): settingsStore.DayRow {
  return {
    recipients: one.recipients + other.recipients,
    new_recipients: one.new_recipients + other.new_recipients,
  }
}
