/** Sends a message for the operator, who tries whether mail leaves this server and arrives. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { DKIM_PURPOSE } from '../domains/dkim-keys.ts'
import { list, type DomainRow } from '../domains/domain-store.ts'
import { canSend } from '../domains/settle-check.ts'
import { classify } from './classify.ts'
import { sign } from './compose.ts'
import { transportOf } from './transport.ts'

export interface TestResult {
  from: string
  result: 'delivered' | 'refused' | 'unreachable' | 'unknown'
  smtp_code: number | null
  remote_mta: string | null
  /** A sentence; null if it was delivered. */
  reason: string | null
}

/** Returns why nothing was sent, as a sentence, or the result. The recipient need not be known. */
export async function sendTest(
  runtime: Runtime,
  { project_id, to }: { project_id: string; to: string },
): Promise<TestResult | string> {
  const transport = transportOf(runtime)
  if (!transport)
    return `HOMEPORT_EMAIL is ${runtime.config.email.mode}, so nothing leaves this server.`
  const rows = await list(runtime.db, { project_id, count: 100, after: null })
  const domain = rows.find(canSend)
  if (!domain) return 'The project has no verified sending domain.'
  const source = await write(runtime, domain, to)
  const from = `feedback@${domain.return_path_host}`
  const outcome = await transport.handOver({ from, to, source, onData: async () => {} })
  const shown = {
    from: `test@${domain.domain}`,
    result: outcome.kind,
    remote_mta: outcome.remote_mta,
  }
  if (outcome.kind === 'delivered') return { ...shown, smtp_code: outcome.smtp_code, reason: null }
  if (outcome.kind === 'refused')
    return {
      ...shown,
      smtp_code: outcome.code,
      reason: `${classify(outcome).reason} ${outcome.text}`,
    }
  const reason =
    outcome.kind === 'unknown'
      ? 'The mail server took the message and did not reply.'
      : runtime.config.email.mode === 'smarthost'
        ? 'The mail server of HOMEPORT_EMAIL_URL could not be reached.'
        : 'No mail server of the recipient could be reached.'
  return { ...shown, smtp_code: null, reason }
}

function write({ seal, clock }: Runtime, row: DomainRow, to: string): Promise<Buffer> {
  const { domain, dkim_selector: selector } = row
  const message = [
    `From: <test@${domain}>`,
    `To: <${to}>`,
    'Subject: Test of Homeport',
    `Date: ${clock.now().toUTCString()}`,
    `Message-ID: <${newId(clock)}@${domain}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Auto-Submitted: auto-generated',
    '',
    `This is a test of the email of ${domain}. Nobody has to do anything.`,
    '',
  ].join('\r\n')
  const private_key = seal.open(row.sealed_dkim_key, DKIM_PURPOSE)
  return sign(Buffer.from(message), { domain, selector, private_key }, clock.now())
}
