/** The requests that count the statements of email. */
import { createServer } from 'node:http'
import { after } from 'node:test'
import { emailFrom } from '../fixtures/email/email-from.ts'
import { prepareEmail, writeToOutbox } from '../fixtures/email/prepare-email.ts'
import { openRecordServer } from '../fixtures/external/record-server.ts'
import { listen } from '../fixtures/loopback.ts'
import { madeBy } from '../fixtures/path-ids.ts'
import { peopleScenario } from './people.ts'
import { times, type Asked, type Place, type Scenario } from './scenario.ts'

const logo =
  '<svg version="1.2" baseProfile="tiny-ps" viewBox="0 0 9 9"><title>Bakery</title></svg>'
const MANY = [1, 20] as const
const domain = 'bakery.example'

const newEmail = async ({ made }: Place, changes: object = {}) =>
  (await made('POST /emails', { ...emailFrom(domain), ...changes })).id as string

const later = ({ runtime }: Place) => new Date(runtime.clock.now_ms() + 3_600_000).toISOString()

function prepared(asked: (place: Place, turn: number) => Asked | Promise<Asked>): Scenario {
  return {
    async ready(place) {
      await prepareEmail(place)
      return (turn) => asked(place, turn)
    },
  }
}

function listed(route: string, make: (place: Place, number: number) => Promise<unknown>): Scenario {
  return {
    rows: MANY,
    async ready(place, rows) {
      await prepareEmail(place)
      await times(rows, (number) => make(place, number))
      return () => ({ route })
    },
  }
}

function ofDomain(route: (id: string) => string): Scenario {
  return {
    async ready(place) {
      const id = await prepareEmail(place)
      return () => ({ route: route(id) })
    },
  }
}

const newDomain = ({ made }: Place, name: string | number) =>
  made('POST /sending-domains', { domain: `shop-${name}.example` })

const suppress = ({ made }: Place, name: string | number) =>
  made('POST /email/suppressions', { address: `person-${name}@example.com` })

const ask = ({ made }: Place, name: string | number) =>
  made('POST /email/recipients', { address: `person-${name}@example.com` })

export const email: Readonly<Record<string, Scenario>> = {
  'emails.list': listed('GET /emails', (place) => newEmail(place)),
  'emails.create': prepared(() => ({ route: 'POST /emails', body: emailFrom(domain) })),
  'emails.create_batch': {
    rows: MANY,
    async ready(place, rows) {
      await prepareEmail(place)
      const emails = Array.from({ length: rows }, () => emailFrom(domain))
      return () => ({ route: 'POST /emails/batch', body: { emails } })
    },
  },
  'emails.get': prepared(async (place) => ({ route: `GET /emails/${await newEmail(place)}` })),
  'emails.cancel': prepared(async (place) => ({
    route: `POST /emails/${await newEmail(place, { scheduled_at: later(place) })}/cancel`,
  })),
  'emails.reschedule': prepared(async (place) => ({
    route: `POST /emails/${await newEmail(place, { scheduled_at: later(place) })}/schedule`,
    body: { scheduled_at: later(place) },
  })),
  'sending_domains.list': {
    rows: [1, 8],
    async ready(place, rows) {
      await prepareEmail(place)
      await times(rows, (number) => newDomain(place, number))
      return () => ({ route: 'GET /sending-domains' })
    },
  },
  'sending_domains.create': prepared((_place, turn) => ({
    route: 'POST /sending-domains',
    body: { domain: `turn-${turn}.example` },
  })),
  'sending_domains.get': ofDomain((id) => `GET /sending-domains/${id}`),
  'sending_domains.verify': ofDomain((id) => `POST /sending-domains/${id}/verify`),
  'sending_domains.rotate_dkim': prepared(async (place, turn) => ({
    route: `POST /sending-domains/${(await newDomain(place, `rotated-${turn}`)).id}/rotate-dkim`,
  })),
  'sending_domains.set_bimi': {
    async ready(place) {
      const id = await prepareEmail(place)
      const dns = await openRecordServer()
      dns.set(`_dmarc.${domain}`, 'TXT', ['v=DMARC1; p=reject'])
      const { runtime } = place.runtime
      const { config } = runtime
      runtime.config = { ...config, email: { ...config.email, dns: [dns.address] } }
      const port = await listen(
        { after },
        createServer((_request, reply) => reply.end(logo)),
      )
      const body = { logo_url: `http://127.0.0.1:${port}/logo.svg` }
      return () => ({ route: `PUT /sending-domains/${id}/bimi`, body })
    },
  },
  'sending_domains.delete_bimi': ofDomain((id) => `DELETE /sending-domains/${id}/bimi`),
  'sending_domains.delete': prepared(async (place, turn) => ({
    route: `DELETE /sending-domains/${(await newDomain(place, `deleted-${turn}`)).id}`,
  })),
  'email_suppressions.list': listed('GET /email/suppressions', suppress),
  'email_suppressions.create': prepared((_place, turn) => ({
    route: 'POST /email/suppressions',
    body: { address: `person-${turn}@example.com` },
  })),
  'email_suppressions.delete': prepared(async (place, turn) => ({
    route: `DELETE /email/suppressions/${(await suppress(place, turn)).address}`,
  })),
  'email_recipients.list': listed('GET /email/recipients', ask),
  'email_recipients.create': prepared((_place, turn) => ({
    route: 'POST /email/recipients',
    body: { address: `person-${turn}@example.com` },
  })),
  'email.switch': peopleScenario(async ({ project, session }) => {
    await madeBy(session, `PUT ${project}/email/module`, { enabled: false })
    return { route: `PUT ${project}/email/module`, body: { enabled: true } }
  }),
  'email.resume': peopleScenario(async ({ place, project_id, project, session }) => {
    await madeBy(session, `PUT ${project}/email/module`, { enabled: true })
    const { db, clock } = place.runtime.runtime
    const paused = { paused_at: clock.now(), paused_reason: 'bounces' as const }
    await db.transact((tx) =>
      tx.updateTable('email_settings').set(paused).where('project_id', '=', project_id).execute(),
    )
    return { route: `POST ${project}/email/resume` }
  }),
  'email_recipients.confirm': peopleScenario(async ({ place, project }, turn) => ({
    route: `POST ${project}/email/recipients/${(await ask(place, turn)).id}/confirm`,
  })),
  'email_recipients.delete': peopleScenario(async ({ place, project }, turn) => ({
    route: `DELETE ${project}/email/recipients/${(await ask(place, turn)).id}`,
  })),
  'email.outbox': peopleScenario(({ project }) => ({ route: `GET ${project}/email/outbox` }), {
    rows: MANY,
    async make({ place }, rows) {
      await prepareEmail(place)
      await times(rows, () => writeToOutbox(place))
    },
  }),
  'email.outbox_message': {
    async ready(place) {
      await prepareEmail(place)
      const id = await writeToOutbox(place)
      const scenario = peopleScenario(({ project }) => ({
        route: `GET ${project}/email/outbox/${id}`,
      }))
      return scenario.ready(place, 1)
    },
  },
}
