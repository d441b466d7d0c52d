/** Reads, cancels and reschedules emails. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { readPage } from '../../../contract/schema/pages.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { seesTest } from '../accept/check.ts'
import { toKey } from '../addresses/parse-address.ts'
import { enqueueDelivery } from '../delivery/deliver.ts'
import type { Email, EmailPage, EmailsQuery, ScheduleInput } from '../schema.ts'
import * as store from './email-store.ts'
import { presentEmail, presentListed, readWhole, unknownEmail } from './present.ts'

export async function listEmails(caller: Caller, query: EmailsQuery): Promise<EmailPage> {
  const { limit, cursor, status, recipient, app_id } = query
  const test = seesTest(caller)
  const filter = { test, status, recipient: recipient && toKey(recipient), app_id }
  const page = await readPage(caller, {
    list: `emails ${JSON.stringify(filter)}`,
    query: { limit, ...(cursor !== undefined && { cursor }) },
    read: (count, after) =>
      store.list(caller.db, { project_id: caller.project.id, ...filter, count, after }),
  })
  return { ...page, data: page.data.map(presentListed) }
}

export async function findEmail({ db, project }: Caller, id: string): Promise<Email> {
  return presentEmail(await readWhole(db, { project_id: project.id, id }))
}

/** Cancels an email that waits for its time. */
export function cancelEmail(caller: Caller, id: string): Promise<Email> {
  const { runtime, db, project } = caller
  const key = { project_id: project.id, id }
  return db.transact(async (tx) => {
    requireScheduled(await store.lock(tx, key))
    const canceled = await store.cancelQueued(tx, key)
    if (canceled.length === 0) throw alreadySent()
    const occurred_at = runtime.clock.now()
    await store.insertEvents(
      tx,
      canceled.map((recipient_id) => ({
        project_id: project.id,
        id: newId(runtime.clock),
        email_id: id,
        recipient_id,
        type: 'canceled' as const,
        reason: null,
        occurred_at,
      })),
    )
    await store.refreshStatus(tx, key)
    announceRecordsAfter(tx, runtime, project.id, 'emails')
    return presentEmail(await readWhole(tx, key))
  })
}

/** Moves an email that waits to another time. */
export function rescheduleEmail(caller: Caller, id: string, input: ScheduleInput): Promise<Email> {
  const { runtime, db, project } = caller
  const key = { project_id: project.id, id }
  const at = new Date(input.scheduled_at)
  const ahead_s = (at.getTime() - runtime.clock.now_ms()) / 1000
  return db.transact(async (tx) => {
    requireScheduled(await store.lock(tx, key))
    if (!(ahead_s > 0 && ahead_s <= limits.email_scheduled_s_max)) throw wrongTime()
    await store.reschedule(tx, { ...key, at })
    await enqueueDelivery(tx, runtime, { project_id: project.id, run_at: at })
    announceRecordsAfter(tx, runtime, project.id, 'emails')
    return presentEmail(await readWhole(tx, key))
  })
}

function wrongTime(): Problem {
  const days = limits.email_scheduled_s_max / 86_400
  const message = `must be in the future, at most ${days} days ahead`
  return new Problem('validation_failed', `/scheduled_at ${message}.`, {
    errors: [{ path: '/scheduled_at', message }],
  })
}

function requireScheduled(row: store.EmailRow | undefined): void {
  if (!row) throw unknownEmail()
  if (row.status !== 'scheduled') throw alreadySent()
}

function alreadySent(): Problem {
  return new Problem('conflict', 'This email does not wait for its time any more.')
}
