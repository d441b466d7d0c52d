/** Mails of the server itself to a customer of a project, from a verified domain of the project. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { CustomerMail } from '../../payments/service.ts'
import * as projects from '../../projects/service.ts'
import * as domains from '../domains/domain-store.ts'
import { canSend } from '../domains/settle-check.ts'
import { checkAll } from './check.ts'
import { reserveAll } from './reserve.ts'
import { write } from './send.ts'

const DOMAINS_MAX = 50

/** Null if the project cannot send it: the module is off, or no domain is verified. */
export async function prepareForCustomer(
  runtime: Runtime,
  { project_id, test, to, subject, text, attachment }: CustomerMail,
): Promise<((tx: Transaction) => Promise<void>) | null> {
  const { db, log } = runtime
  const project = await projects.find(db, project_id)
  const rows = await domains.list(db, { project_id, count: DOMAINS_MAX, after: null })
  const domain = rows.find(canSend) ?? (test ? rows[0] : undefined)
  if (!project || !domain) return null
  const caller: Caller = {
    runtime,
    db,
    project,
    mode: test ? 'test' : 'live',
    request_id: 'customer-mail',
    key_id: project_id,
    scopes: new Set(['messages:write']),
    access: null,
    entry_point: 'job',
    idempotency_key: null,
    remember: async () => {},
  }
  const { filename, content } = attachment
  const given = {
    from: `invoices@${domain.domain}`,
    to: [to],
    subject,
    text,
    attachments: [{ filename, content: content.toString('base64') }],
  }
  const [checked] = await checkAll(caller, [given]).catch((error: unknown) => {
    if (error instanceof Problem) return [error]
    throw error
  })
  if (checked === undefined || checked instanceof Problem) {
    log.info({ project_id, err: checked }, 'an invoice was not mailed')
    return null
  }
  return async (tx) => {
    const problem = (await reserveAll(tx, caller, [checked])).get(checked)
    if (problem) log.info({ project_id, err: problem }, 'an invoice was not mailed')
    else await write(tx, caller, [checked])
  }
}
