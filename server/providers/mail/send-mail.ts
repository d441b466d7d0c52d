/** Sends a mail from a job. */
import { Type } from 'typebox'
import type { Runtime } from '../../kernel/runtime.ts'
import { noteProviderError, noteProviderSuccess, noteRefusal } from '../provider-errors.ts'
import { MailError, mailLanguages, type MailMessage } from './mail-contract.ts'
import { mailOf } from './mail.ts'

/** Pauses between the tries of a job that sends a mail, for a mail server that is down over a weekend. */
export const MAIL_RETRY_S: readonly number[] = [
  30,
  120,
  600,
  1800,
  7200,
  ...Array<number>(10).fill(21_600),
]

/** The payload of a job that sends a mail whose text was written when the job was enqueued. */
export const writtenMail = Type.Object({
  reference: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  language: Type.Enum([...mailLanguages]),
  links: Type.Array(Type.Object({ url: Type.String(), label: Type.String() })),
})

/**
 * Does nothing if the operator has no mail. Logs a permanent error; throws a temporary one, so that
 * the job is retried. Returns why the mail was refused for good; null if it was sent. `about`
 * completes the log line "the mail about …".
 */
export async function deliverMail(
  runtime: Runtime,
  message: MailMessage,
  about: string,
): Promise<string | null> {
  try {
    await mailOf(runtime)?.send(message)
    if (runtime.config.mail.provider === 'smtp') noteProviderSuccess(runtime, 'mail')
    return null
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const is_refused = error instanceof MailError && !error.retry
    if (is_refused) noteRefusal(runtime, 'mail', reason)
    else noteProviderError(runtime, 'mail', reason)
    if (!is_refused) throw error
    runtime.log.warn({ err: error }, `the mail about ${about} was refused and is not retried`)
    return reason
  }
}

/** Like deliverMail, for callers that do not need the reason of a refusal. */
export async function sendMail(
  runtime: Runtime,
  message: MailMessage,
  about: string,
): Promise<void> {
  await deliverMail(runtime, message, about)
}
