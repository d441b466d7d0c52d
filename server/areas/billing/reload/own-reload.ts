/** Automatic top-up in the portal API. */
import { Problem } from '../../../contract/errors.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import * as projects from '../../projects/service.ts'
import { readCents } from '../cents.ts'
import { setAutoReload } from './auto-reload.ts'
import { findBillingMonth, readBalance } from '../ledger/balance.ts'
import type { AutoReloadInput } from '../people-schema.ts'
import { findSettings } from './reload-store.ts'
import type { Balance } from '../schema.ts'

type MemberContext = Pick<MemberCaller, 'runtime' | 'db' | 'project'>

export async function showAutoReload({
  runtime,
  db,
  project,
}: MemberContext): Promise<Balance['auto_reload']> {
  const project_id = projects.findPayingProject(project)
  return (await readBalance(db, runtime, { project_id, test: false })).auto_reload
}

/** Replaces all settings. Without a card they can be saved, but not enabled. */
export async function putAutoReload(
  caller: MemberContext,
  input: AutoReloadInput,
): Promise<Balance['auto_reload']> {
  const { runtime, db, project } = caller
  const project_id = projects.findPayingProject(project)
  const amount_micro = readCents('/amount_eur', input.amount_eur)
  const threshold_micro = readCents('/threshold_eur', input.threshold_eur)
  await db.transact(async (tx) => {
    await projects.lock(tx, project_id)
    const saved = await findSettings(tx, project_id, findBillingMonth(runtime, runtime.clock.now()))
    const has_card = input.card !== null && typeof saved?.payment_method === 'string'
    if (input.enabled && !has_card) throw noCard()
    await setAutoReload(tx, runtime, {
      project_id,
      enabled: input.enabled,
      threshold_micro,
      amount_micro,
      max_per_month: input.max_per_month,
      card: input.card,
    })
  })
  return showAutoReload(caller)
}

function noCard(): Problem {
  return new Problem('payment_mandate_missing', 'Automatic top-up needs a saved card.', {
    user_message: 'There is no saved card yet. Top up once and let the card be kept.',
    next_step: 'Order a top-up with save_card, pay it, and turn automatic top-up on after that.',
  })
}
