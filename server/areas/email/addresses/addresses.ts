/** Suppressed addresses, and recipients that the owner confirmed. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import { readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { lockSettings } from '../settings/settings.ts'
import type {
  KnownRecipient,
  KnownRecipientPage,
  RecipientInput,
  Suppression,
  SuppressionInput,
  SuppressionPage,
} from './address-schema.ts'
import * as store from './address-store.ts'
import { parseAddress, toKey } from './parse-address.ts'

export async function listSuppressions(caller: Caller, query: PageQuery): Promise<SuppressionPage> {
  const page = await readPage(caller, {
    list: 'email_suppressions',
    query,
    read: (count, after) =>
      store.listSuppressions(caller.db, { project_id: caller.project.id, count, after }),
  })
  return { ...page, data: page.data.map(presentSuppression) }
}

export async function addSuppression(
  caller: Caller,
  input: SuppressionInput,
): Promise<Suppression> {
  const { runtime, db, project } = caller
  const address = requireAddress(input.address)
  const row = await db.transact(async (tx) => {
    await lockSettings(tx, runtime, project.id)
    if ((await store.countSuppressions(tx, project.id)) >= limits.email_suppressions_max) {
      throw new Problem(
        'conflict',
        `There are ${limits.email_suppressions_max} suppressed addresses.`,
      )
    }
    return store.insertSuppression(tx, {
      project_id: project.id,
      id: newId(runtime.clock),
      address,
      reason: input.reason ?? 'Added by the business.',
      origin: 'manual',
      created_at: runtime.clock.now(),
    })
  })
  return presentSuppression(row)
}

export async function removeSuppression({ db, project }: Caller, given: string): Promise<void> {
  const address = toKey(parseAddress(given) ?? given)
  const is_removed = await db.transact((tx) =>
    store.removeSuppression(tx, { project_id: project.id, address }),
  )
  if (!is_removed) throw new Problem('not_found', 'This address is not suppressed.')
}

export async function listRecipients(
  caller: Caller,
  query: PageQuery,
): Promise<KnownRecipientPage> {
  const page = await readPage(caller, {
    list: 'email_recipients',
    query,
    read: (count, after) =>
      store.listKnown(caller.db, { project_id: caller.project.id, count, after }),
  })
  return { ...page, data: page.data.map(presentKnown) }
}

/** Asks the owner to confirm an address. An address that is known already stays as it is. */
export async function requestRecipient(
  caller: Caller,
  input: RecipientInput,
): Promise<KnownRecipient> {
  const { runtime, db, project } = caller
  const address = requireAddress(input.address)
  const row = await db.transact(async (tx) => {
    await lockSettings(tx, runtime, project.id)
    if ((await store.countKnown(tx, project.id)) >= limits.email_known_recipients_max) {
      throw new Problem('conflict', `There are ${limits.email_known_recipients_max} recipients.`)
    }
    return store.insertKnown(tx, {
      project_id: project.id,
      id: newId(runtime.clock),
      address,
      status: 'pending_owner',
      note: input.note ?? null,
      requested_at: runtime.clock.now(),
    })
  })
  return presentKnown(row)
}

export async function confirmRecipient(caller: MemberCaller, id: string): Promise<KnownRecipient> {
  const { runtime, db, project, person } = caller
  const confirmed = { project_id: project.id, id, by: person.email, now: runtime.clock.now() }
  const row = await db.transact((tx) => store.confirmKnown(tx, confirmed))
  if (!row) throw unknownRecipient()
  return presentKnown(row)
}

export async function removeRecipient({ db, project }: MemberCaller, id: string): Promise<void> {
  const is_removed = await db.transact((tx) =>
    store.removeKnown(tx, { project_id: project.id, id }),
  )
  if (!is_removed) throw unknownRecipient()
}

function unknownRecipient(): Problem {
  return new Problem('not_found', 'There is no recipient with this id.')
}

function requireAddress(given: string): string {
  const address = parseAddress(given)
  if (address !== null) return toKey(address)
  const message = 'must be an email address such as anna@example.com'
  throw new Problem('validation_failed', `/address ${message}.`, {
    errors: [{ path: '/address', message }],
  })
}

function presentSuppression(row: store.SuppressionRow): Suppression {
  const { address, reason, origin, source_email_id, created_at } = row
  return { address, reason, origin, source_email_id, created_at: created_at.toISOString() }
}

function presentKnown(row: store.KnownRow): KnownRecipient {
  return {
    id: row.id,
    address: row.address,
    status: row.status,
    note: row.note,
    requested_at: row.requested_at.toISOString(),
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
  }
}
