/** Sends a mail from a job. */
import type { Runtime } from '../../kernel/runtime.ts'
import { noteProviderError } from '../provider-errors.ts'
import { MailError, type MailMessage } from './mail-contract.ts'
import { mailOf } from './mail.ts'

/**
 * Does nothing if the operator has no mail. Logs a permanent error; throws a temporary one, so that
 * the job is retried. `about` completes the log line "the mail about …".
 */
export async function sendMail(
  runtime: Runtime,
  message: MailMessage,
  about: string,
): Promise<void> {
  try {
    await mailOf(runtime)?.send(message)
  } catch (error) {
    noteProviderError(runtime, 'mail', error instanceof Error ? error.message : String(error))
    if (!(error instanceof MailError) || error.retry) throw error
    runtime.log.warn({ err: error }, `the mail about ${about} was refused and is not retried`)
  }
}
