/** Shows the messages that were written to the outbox instead of sent (HOMEPORT_EMAIL=log). */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import type { OutboxDetail, OutboxPage } from './outbox-schema.ts'
import * as store from './outbox-store.ts'

const SOURCE_BYTES_MAX = 262_144

export async function listOutbox(caller: Caller, query: PageQuery): Promise<OutboxPage> {
  const page = await readPage(caller, {
    list: 'email_outbox',
    query,
    read: (count, after) => store.list(caller.db, { project_id: caller.project.id, count, after }),
  })
  const data = page.data.map((row) => ({ ...row, written_at: row.written_at.toISOString() }))
  return { ...page, data }
}

export async function findMessage({ db, project }: Caller, id: string): Promise<OutboxDetail> {
  const wanted = { project_id: project.id, id, bytes_max: SOURCE_BYTES_MAX }
  const found = await store.find(db, wanted)
  if (!found) throw new Problem('not_found', 'There is no message with this id in the outbox.')
  const { text, html, source, bytes } = found
  return { id, text, html, source: source.toString('utf8'), is_cut: bytes > SOURCE_BYTES_MAX }
}
