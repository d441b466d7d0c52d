/** Consents of people to marketing calls. */
import { isTest, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Consent, ConsentInput, ConsentPage } from '../schema.ts'
import * as store from './consent-store.ts'

export async function listConsents(caller: Caller, query: PageQuery): Promise<ConsentPage> {
  const { db } = caller
  const page = await readPage(caller, {
    list: 'call consents',
    query,
    read: (count, after) => store.listConsents(db, { ...modeOf(caller), count, after }),
  })
  return { data: page.data.map(present), next_cursor: page.next_cursor }
}

export async function recordConsent(
  caller: Caller,
  { phone, source }: ConsentInput,
): Promise<Consent> {
  const { db, runtime } = caller
  const now = runtime.clock.now()
  const row = { ...modeOf(caller), id: newId(runtime.clock), phone, source, created_at: now }
  return present(await db.transact((tx) => store.insertConsent(tx, row)))
}

export async function withdrawConsent(caller: Caller, id: string): Promise<void> {
  const { db } = caller
  const is_removed = await db.transact((tx) => store.removeConsent(tx, { ...modeOf(caller), id }))
  if (!is_removed) throw new Problem('not_found', 'This project has no consent with this id.')
}

/** A test key must not allow real calls. */
function modeOf(caller: Caller) {
  return { project_id: caller.project.id, test: isTest(caller) }
}

function present({ id, phone, source, created_at }: store.ConsentRow): Consent {
  return { id, phone, purpose: 'marketing', source, recorded_at: created_at.toISOString() }
}
