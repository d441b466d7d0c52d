/**
 * `listen` forwards the events of a project to a program on the developer's machine, as they
 * happen. It needs no public address and no endpoint, and stores nothing.
 */
import * as webhooks from '../../areas/webhooks/service.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { createOutbound } from '../../kernel/outbound/outbound.ts'
import { command, type CommandContext } from '../command.ts'
import { requireServer, withRuntime } from '../database-access.ts'
import {
  flag,
  id,
  listOf,
  oneOf,
  optional,
  required,
  type OptionParser,
} from '../option-parsers.ts'
import { projectOrOnly } from './projects.ts'
import { CommandError } from '../command-error.ts'
import { formatCount, formatFields } from '../output.ts'

/** A local URL; `localhost:3000` is accepted. */
const address: OptionParser<URL> = {
  value: 'URL',
  read(text) {
    const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
    const usable =
      url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ''
    if (usable) return url
    const shown = JSON.stringify(text.slice(0, 60))
    throw new CommandError(`must be an address such as http://localhost:3000/hooks, not ${shown}.`)
  },
}

const eventType: OptionParser<(typeof webhooks.listenedTypes)[number]> = {
  value: 'TYPE',
  read: (text) => oneOf(webhooks.listenedTypes).read(text),
}

const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/
const privateNetworks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

interface Asked {
  'forward-to': URL
  project: string | undefined
  events: (typeof webhooks.listenedTypes)[number][] | undefined
  'other-machine': boolean
}

export const listen = command<Asked>({
  name: 'listen',
  about: 'Forwards the events of a project to a program on this machine, until Ctrl-C.',
  options: {
    'forward-to': required(address, 'The URL, such as http://localhost:3000/hooks.'),
    project: optional(id, 'The project; optional if there is only one.'),
    events: optional(listOf(eventType), 'Only these types; by default all.'),
    'other-machine': flag('Allows another machine in --forward-to, also in a private network.'),
  },
  check({ 'forward-to': url, 'other-machine': other_machine }) {
    if (other_machine || loopback.test(url.hostname)) return
    throw new CommandError(
      `--forward-to ${url.href} is not this machine. Events contain personal data, so add ` +
        '--other-machine if it is meant, or make a webhook endpoint.',
    )
  },
  async run(asked, context) {
    const settings = context.settings()
    await requireServer(settings)
    return withRuntime(settings, (runtime) => listenIn(runtime, asked, context))
  },
})

async function listenIn(runtime: Runtime, asked: Asked, context: CommandContext) {
  // Imported here, because most commands do not need it.
  const { eventSources } = await import('../../app.ts')
  const { 'forward-to': url, events: types = webhooks.listenedTypes } = asked
  const project_id = await projectOrOnly(runtime.db, 'listen', asked.project)
  const secret = webhooks.deriveListenerSecret(runtime, project_id)
  const outbound = createOutbound({
    allow_private: true,
    allow_cidrs: asked['other-machine'] ? privateNetworks : [],
    proxy_url: null,
  })
  const until = context.goOnUntilStopped()
  const head = { secret, project_id, forward_to: url.href, events: asked.events ?? 'all' }
  let sent_count = 0
  try {
    await webhooks.listen(
      { ...runtime, webhook_outbound: outbound },
      {
        project_id,
        url: url.href,
        secret,
        types,
        sources: eventSources,
        until,
        begun() {
          const text = `${formatFields(head)}\n\nWaiting for events; Ctrl-C ends it.`
          context.tell({ json: head, text })
        },
        heard(sent) {
          sent_count += 1
          context.tell(presentSent(sent))
        },
        away: (is_away) => context.tell(presentAway(is_away)),
      },
    )
  } finally {
    // Requests in flight are dropped, because the command has been stopped.
    void outbound.close()
  }
  return {
    json: { ended: true, sent_count },
    text: `Ended after ${formatCount(sent_count, 'event')}.`,
  }
}

function presentSent(sent: webhooks.SentEvent) {
  const { sent_at, type, error, response_status, duration_ms, event_id } = sent
  const status = response_status ?? error ?? ''
  const time = sent_at.toISOString()
  const text = `${time.slice(11, 19)}  ${type}  ${status}  ${duration_ms} ms  ${event_id}`
  return { json: { ...sent, sent_at: time }, text }
}

function presentAway(is_away: boolean) {
  const text = is_away
    ? 'The database is unavailable; waiting for it.'
    : 'The database is available again.'
  return { json: { database_away: is_away }, text }
}
