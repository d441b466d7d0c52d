/** Consents of people to marketing calls. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Consent, ConsentInput, ConsentPage } from '../schema.ts'
import * as store from './consent-store.ts'

export async function listConsents(caller: Caller, query: PageQuery): Promise<ConsentPage> {
  const { db, project } = caller
  const page = await readPage(caller, {
    list: 'call consents',
    query,
    read: (count, after) => store.listConsents(db, { project_id: project.id, count, after }),
  })
  return { data: page.data.map(present), next_cursor: page.next_cursor }
}

export async function recordConsent(
  { db, runtime, project }: Caller,
  { phone, source }: ConsentInput,
): Promise<Consent> {
  const now = runtime.clock.now()
  const row = { project_id: project.id, id: newId(runtime.clock), phone, source, created_at: now }
  return present(await db.transact((tx) => store.insertConsent(tx, row)))
}

export async function withdrawConsent({ db, project }: Caller, id: string): Promise<void> {
  const is_removed = await db.transact((tx) => store.removeConsent(tx, project.id, id))
  if (!is_removed) throw new Problem('not_found', 'This project has no consent with this id.')
}

function present({ id, phone, source, created_at }: store.ConsentRow): Consent {
  return { id, phone, purpose: 'marketing', source, recorded_at: created_at.toISOString() }
}
