/** Commands for alerts to the operator. */
import * as alerts from '../../areas/alerts/service.ts'
import { Problem } from '../../contract/errors.ts'
import { CommandError } from '../command-error.ts'
import { runtimeCommand } from '../command.ts'
import { withPublicUrl } from '../sites/site-caller.ts'

type Shown = Awaited<ReturnType<typeof alerts.showAlerts>>

export const list = runtimeCommand({
  name: 'alerts',
  about: 'Lists what needs the operator now, what to do, and where alerts are sent.',
  options: {},
  async run(_values, runtime) {
    const shown = await alerts.showAlerts(await withPublicUrl(runtime))
    const none = shown.checked_at === null ? 'Nothing was checked yet.' : 'No alert fires.'
    const text = shown.firing.map(describe).join('\n\n')
    return { json: shown, text: `${text || none}\n\n${describeChannels(shown)}` }
  },
})

function describe({ since, texts: { en }, link }: Shown['firing'][number]): string {
  return [`${en.title}, since ${since}`, `  ${en.about}`, `  ${en.advice}`, `  ${link}`].join('\n')
}

function describeChannels({ mail, webhook }: Shown): string {
  const addresses = mail.addresses.length > 0 ? mail.addresses.join(', ') : 'nobody'
  return [
    `Mail: ${addresses}${describeError(mail)}`,
    `Webhook: ${webhook.host ?? 'none'}${describeError(webhook)}`,
  ].join('\n')
}

function describeError({ error, failed_at }: Shown['mail' | 'webhook']): string {
  return error === null ? '' : ` (failed at ${failed_at}: ${error})`
}

export const test = runtimeCommand({
  name: 'alerts test',
  about: 'Sends a test alert to every address and to the webhook, by a running server.',
  options: {},
  async run(_values, runtime) {
    const place = { runtime: await withPublicUrl(runtime), db: runtime.db }
    const made = await alerts.sendTest(place).catch((error: unknown) => {
      throw error instanceof Problem ? new CommandError(error.message) : error
    })
    const text = `Queued: ${made.sent}. A process with the role worker sends them; "alerts" shows failures.`
    return { json: made, text }
  },
})

export const secret = runtimeCommand({
  name: 'alerts secret',
  about: 'Prints the secret that signs the webhook of alerts.',
  options: {},
  async run(_values, runtime) {
    const printed = { secret: alerts.webhookSecret(runtime) }
    return { json: printed, text: printed.secret }
  },
})
