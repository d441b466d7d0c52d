/** The requests that count the statements of operations for people. */
import { reader } from '../fixtures/agents/reader.ts'
import { Secret, TOTP } from 'otpauth'
import { emailCodeOf } from '../../server/areas/people/own/email-code.ts'
import { takeOffline } from '../../server/areas/sites/service.ts'
import { limits } from '../../server/contract/limits.ts'
import { propose } from '../fixtures/mcp/approvals.ts'
import { connect } from '../fixtures/portal/oauth.ts'
import {
  madeBy,
  newDeletedProject,
  newInvitationFor,
  newPortalProposal,
} from '../fixtures/path-ids.ts'
import { addPasskey, makePasskey } from '../fixtures/portal/passkeys.ts'
import { turnOnTotp } from '../fixtures/portal/portal.ts'
import { newSession, type Session } from '../fixtures/portal/sessions.ts'
import { newSite } from './files.ts'
import { times, type Asked, type Place, type Scenario } from './scenario.ts'

export interface Owner {
  place: Place
  project_id: string
  /** The path of the project in the portal's API. */
  project: string
  session: Session
}

/** The owner of a new project. The clock moves, because sign-ins of one network are limited. */
async function newOwner(place: Place): Promise<Owner> {
  const { runtime, project_id } = place
  const email = `${crypto.randomUUID()}@count.example`
  runtime.passes('20 minutes')
  await runtime.runtime.db.transact((tx) =>
    tx.updateTable('projects').set({ owner_email: email }).where('id', '=', project_id).execute(),
  )
  const session = await newSession(runtime, email)
  return { place, project_id, project: `/projects/${project_id}`, session }
}

async function newPasskey(session: Session): Promise<string> {
  await addPasskey(session.visitor, 'My phone')
  const { data } = await madeBy(session, 'GET /passkeys')
  return data.at(-1).id
}

type ByOwner = (owner: Owner, turn: number) => Asked | Promise<Asked>

/** Requests of an owner in a project with as many rows as `prepare` creates. */
export function peopleScenario(
  asked: ByOwner,
  prepare?: { rows: readonly [number, number]; make(owner: Owner, rows: number): Promise<unknown> },
): Scenario {
  return {
    ...(prepare && { rows: prepare.rows }),
    async ready(place, rows) {
      const owner = await newOwner(place)
      await prepare?.make(owner, rows)
      return async (turn) => ({ ...(await asked(owner, turn)), session: owner.session })
    },
  }
}

const invite = ({ session, project }: Owner) =>
  madeBy(session, `POST ${project}/invitations`, {
    email: `${crypto.randomUUID()}@guest.example`,
    role: 'member',
  })

/** Adds a new person to the team. Returns their id. */
async function newMember({ place: { runtime }, session, project }: Owner): Promise<string> {
  const email = `${crypto.randomUUID()}@guest.example`
  const invitation = await madeBy(session, `POST ${project}/invitations`, { email, role: 'member' })
  const guest = await newSession(runtime, email)
  await madeBy(guest, `POST /invitations/${invitation.id}/accept`)
  return (await madeBy(guest, 'GET /me')).person.id
}

const newNumber = ({ place: { made } }: Owner): Promise<any> =>
  made('POST /numbers', {}, { 'idempotency-key': crypto.randomUUID() })

const newKey = ({ session, project }: Owner) =>
  madeBy(session, `POST ${project}/keys`, { name: 'A key', mode: 'test', scopes: 'read_only' })

const newTopUp = ({ session, project }: Owner) =>
  madeBy(session, `POST ${project}/top-ups`, { amount_eur: 25 })

async function newConnection({ place: { runtime }, session, project, project_id }: Owner) {
  await connect(runtime, session.visitor, { project_id })
  return (await madeBy(session, `GET ${project}/connections`)).data[0]
}

/** A proposal to delete a new collection, as the owner sees it. */
async function newProposal({ place, session, project }: Owner, turn: number) {
  const name = `bookings-${turn}`
  await place.made('POST /collections', { name })
  const fixture = { url: place.runtime.url, key: place.key }
  const id = await propose(fixture, 'collections.delete', { name, confirm: name })
  return madeBy(session, `GET ${project}/approvals/${id}`)
}

const FEW = [1, 8] as const
const many = (make: (owner: Owner) => Promise<unknown>) => ({
  rows: FEW,
  make: (owner: Owner, rows: number) => times(rows, () => make(owner)),
})
const list = (path: string, make: (owner: Owner) => Promise<unknown>) =>
  peopleScenario(({ project }) => ({ route: `GET ${project}/${path}` }), many(make))

export const people: Record<string, Scenario> = {
  'own_invitations.list': peopleScenario(
    () => ({ route: 'GET /invitations' }),
    many(({ place: { runtime }, session }) => newInvitationFor(runtime, session.email)),
  ),
  'own_invitations.accept': peopleScenario(async ({ place: { runtime }, session }) => ({
    route: `POST /invitations/${await newInvitationFor(runtime, session.email)}/accept`,
  })),
  'own_invitations.decline': peopleScenario(async ({ place: { runtime }, session }) => ({
    route: `POST /invitations/${await newInvitationFor(runtime, session.email)}/decline`,
  })),
  'projects.list': peopleScenario(
    () => ({ route: 'GET /projects' }),
    many(({ session }) => madeBy(session, 'POST /projects', { name: 'Bakery' })),
  ),
  'projects.delete': peopleScenario(async ({ session }) => {
    const { id } = await madeBy(session, 'POST /projects', { name: 'Bakery' })
    return { route: `DELETE /projects/${id}?confirm=Bakery` }
  }),
  'deleted_projects.list': peopleScenario(
    () => ({ route: 'GET /deleted-projects' }),
    many(({ session }) => newDeletedProject(session)),
  ),
  'deleted_projects.restore': peopleScenario(async ({ session }) => ({
    route: `POST /deleted-projects/${await newDeletedProject(session)}/restore`,
  })),
  'sessions.list': peopleScenario(
    () => ({ route: 'GET /sessions' }),
    many(({ place: { runtime }, session }) => newSession(runtime, session.email)),
  ),
  'sessions.end': peopleScenario(async ({ place: { runtime }, session }) => {
    await newSession(runtime, session.email)
    const { data } = await madeBy(session, 'GET /sessions')
    const other = data.find(({ current }: { current: boolean }) => !current)
    return { route: `DELETE /sessions/${other.id}` }
  }),
  'passkeys.list': peopleScenario(() => ({ route: 'GET /passkeys' }), {
    rows: [1, 5],
    make: ({ session }, rows) =>
      times(rows, async (n) => void (await addPasskey(session.visitor, `Key ${n}`))),
  }),
  'passkeys.create': peopleScenario(async ({ session }) => {
    const { response } = makePasskey(await madeBy(session, 'POST /passkeys/options'))
    return { route: 'POST /passkeys', body: { name: 'My phone', response } }
  }),
  'passkeys.rename': peopleScenario(async ({ session }) => ({
    route: `PATCH /passkeys/${await newPasskey(session)}`,
    body: { name: 'My laptop' },
  })),
  'passkeys.remove': peopleScenario(async ({ session }) => ({
    route: `DELETE /passkeys/${await newPasskey(session)}`,
  })),
  'totp.confirm': peopleScenario(async ({ place: { runtime }, session }) => {
    await madeBy(session, 'DELETE /me/totp')
    const { secret, sealed } = await madeBy(session, 'POST /me/totp/setup')
    const timestamp = runtime.clock.now_ms()
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
    return { route: 'PUT /me/totp', body: { sealed, code } }
  }),
  'recovery_codes.renew': peopleScenario(async ({ place: { runtime }, session }) => {
    const { body } = await session.call('GET /me')
    if (!body.person.has_totp) await turnOnTotp(runtime, session.visitor)
    return { route: 'POST /me/recovery-codes' }
  }),
  'me.ask_email': peopleScenario((_owner, turn) => ({
    route: 'POST /me/email-change',
    body: { email: `new-${turn}@count.example` },
  })),
  'me.email': peopleScenario(async ({ place: { runtime }, session }, turn) => {
    const email = `new-${turn}-${crypto.randomUUID()}@count.example`
    const { id } = await madeBy(session, 'POST /me/email-change', { email })
    const { person } = await madeBy(session, 'GET /me')
    const request = { id, person_id: person.id, email }
    const code = emailCodeOf(runtime.runtime.seal, request)
    return { route: 'PUT /me/email', body: { id, email, code } }
  }),
  'me.delete': {
    async ready(place) {
      const owner = await newOwner(place)
      return async (turn) => {
        const email = `leaving-${turn}-${crypto.randomUUID()}@count.example`
        await madeBy(owner.session, `POST ${owner.project}/invitations`, { email, role: 'viewer' })
        const session = await newSession(place.runtime, email)
        return { route: `DELETE /me?confirm=${email}`, session }
      }
    },
  },
  'messages.opt_outs': peopleScenario(
    ({ project }) => ({ route: `GET ${project}/messages/opt-outs` }),
    {
      rows: FEW,
      async make({ place }, rows) {
        const { e164 } = await place.made('POST /numbers', {}, { 'idempotency-key': 'stops' })
        let phone = 447700900010
        await times(rows, () =>
          place.made('POST /test/messages', { to: e164, from: `+${phone++}`, text: 'STOP' }),
        )
      },
    },
  ),
  'sites.offline': peopleScenario(({ project }) => ({ route: `GET ${project}/offline-sites` }), {
    rows: [1, 2],
    make: ({ place }, rows) =>
      times(rows, async () => {
        const { id } = await newSite(place)
        await takeOffline(place.runtime.runtime, { id, reason: 'Phishing.' })
      }),
  }),
  'documents.list_deleted': peopleScenario(
    ({ project }) => ({ route: `GET ${project}/collections/orders/deleted-documents` }),
    {
      rows: [1, 2],
      async make({ project, session }, rows) {
        const documents = `${project}/collections/orders/documents`
        await madeBy(session, `POST ${project}/collections`, { name: 'orders' })
        await times(rows, async () => {
          const { id } = await madeBy(session, `POST ${documents}`, { count: 1 })
          await session.call(`DELETE ${documents}/${id}`)
        })
      },
    },
  ),
  'knowledge_sources.list_passages': {
    rows: [1, 12],
    async ready(place, rows) {
      const { made } = place
      const { project, session } = await newOwner(place)
      await made('POST /collections', { name: 'questions', assistant_facts: true })
      await times(rows, (n) =>
        made('POST /collections/questions/documents', { text: `Fact ${n}.` }),
      )
      const [source] = (await made('GET /assistant/sources')).data
      const route = `GET ${project}/assistant/sources/${source.id}/passages`
      return () => ({ route, session })
    },
  },
  'members.list': list('members', newMember),
  'members.change': peopleScenario(async (owner) => ({
    route: `PATCH ${owner.project}/members/${await newMember(owner)}`,
    body: { role: 'viewer' },
  })),
  'members.remove': peopleScenario(async (owner) => ({
    route: `DELETE ${owner.project}/members/${await newMember(owner)}`,
  })),
  'invitations.list': list('invitations', invite),
  'invitations.create': peopleScenario(({ project }, turn) => ({
    route: `POST ${project}/invitations`,
    body: { email: `guest-${turn}@guest.example`, role: 'member' },
  })),
  'invitations.withdraw': peopleScenario(async (owner) => ({
    route: `DELETE ${owner.project}/invitations/${(await invite(owner)).id}`,
  })),
  'go_live.list': peopleScenario(({ project }) => ({ route: `GET ${project}/go-live` })),
  'go_live.switch': peopleScenario(({ project }) => ({
    route: `POST ${project}/go-live/phone`,
    body: { mode: 'test' },
  })),
  'numbers.overview': peopleScenario(
    ({ project }) => ({ route: `GET ${project}/numbers/overview` }),
    {
      rows: [1, limits.test_numbers_max],
      make: (owner, rows) => times(rows, () => newNumber(owner)),
    },
  ),
  'numbers.check_call_plan': {
    async ready(place) {
      const owner = await newOwner(place)
      const { session, project } = owner
      const { id } = await newNumber(owner)
      const body = { entry: 'end', nodes: { end: { id: 'end', type: 'hangup' } } }
      return () => ({ session, route: `POST ${project}/numbers/${id}/call-plan/check`, body })
    },
  },
  'top_ups.list': list('top-ups', newTopUp),
  'top_ups.get': peopleScenario(async (owner) => ({
    route: `GET ${owner.project}/top-ups/${(await newTopUp(owner)).id}`,
  })),
  'plan.change': peopleScenario(({ project }) => ({
    route: `PUT ${project}/plan`,
    body: { plan: 'online', price_now_eur: 0 },
  })),
  'auto_reload.put': peopleScenario(({ project }, turn) => ({
    route: `PUT ${project}/auto-reload`,
    body: { enabled: false, threshold_eur: 5 + turn, amount_eur: 25, max_per_month: 5, card: null },
  })),
  'balance.months': {
    rows: [1, 12],
    async ready(place, rows) {
      const { session, project } = await newOwner(place)
      return () => ({ session, route: `GET ${project}/balance/months?months=${rows}` })
    },
  },
  'assistant.try': peopleScenario(
    ({ project }) => ({
      route: `POST ${project}/assistant/try`,
      body: { turns: [{ role: 'caller', text: 'Can I park at your shop?' }] },
    }),
    { rows: [1, 1], make: ({ place }) => place.made('PUT /assistant', { name: 'Sam' }) },
  ),
  'balance.transactions': {
    rows: [1, 12],
    async ready(place, rows) {
      const { session, project } = await newOwner(place)
      const route = `GET ${project}/balance/transactions?month=2026-11&limit=${rows}`
      return () => ({ session, route })
    },
  },
  'balance.days': peopleScenario(
    ({ project }) => ({ route: `GET ${project}/balance/days?month=2026-11` }),
    { rows: FEW, make: async () => null },
  ),
  'usage.get': peopleScenario(({ project }) => ({ route: `GET ${project}/plan-usage` })),
  'keys.create': peopleScenario(({ project }) => ({
    route: `POST ${project}/keys`,
    body: { name: 'A key', mode: 'test', scopes: 'read_only' },
  })),
  'keys.list': list('keys', newKey),
  'keys.change': peopleScenario(async (owner, turn) => ({
    route: `PATCH ${owner.project}/keys/${(await newKey(owner)).id}`,
    body: { name: `Key ${turn}` },
  })),
  'keys.revoke': peopleScenario(async (owner) => ({
    route: `DELETE ${owner.project}/keys/${(await newKey(owner)).id}`,
  })),
  'connections.list': list('connections', newConnection),
  'connections.change': peopleScenario(async (owner) => ({
    route: `PATCH ${owner.project}/connections/${(await newConnection(owner)).id}`,
    body: { scopes: ['project:read'], access: null },
  })),
  'connections.delete': peopleScenario(async (owner) => ({
    route: `DELETE ${owner.project}/connections/${(await newConnection(owner)).id}`,
  })),
  'approvals.approve': peopleScenario(async (owner, turn) => {
    const { id, input_hash } = await newProposal(owner, turn)
    return { route: `POST ${owner.project}/approvals/${id}/approve`, body: { input_hash } }
  }),
  'approvals.reject': peopleScenario(async (owner, turn) => {
    const { id, input_hash } = await newProposal(owner, turn)
    return { route: `POST ${owner.project}/approvals/${id}/reject`, body: { input_hash } }
  }),
  'approvals.edit': peopleScenario(async (owner, turn) => {
    const { id, input_hash } = await newProposal(owner, turn)
    const other = `others-${turn}`
    await owner.place.made('POST /collections', { name: other })
    return {
      route: `PUT ${owner.project}/approvals/${id}/arguments`,
      body: { input_hash, arguments: { name: other, confirm: other } },
    }
  }),
  'agents.set_policy': peopleScenario(async ({ project, place }) => {
    const { id } = await place.made('POST /agents', reader)
    const body = { version: 1, approval_policy: [] }
    return { route: `PUT ${project}/agents/${id}/approval-policy`, body }
  }),
  'portal_conversations.list': peopleScenario(
    ({ project }) => ({ route: `GET ${project}/portal-assistant/conversations` }),
    many(({ session, project_id }) => newPortalProposal(session, project_id)),
  ),
  'portal_conversations.get': peopleScenario(async ({ session, project, project_id }) => {
    const { conversation_id } = await newPortalProposal(session, project_id)
    return { route: `GET ${project}/portal-assistant/conversations/${conversation_id}` }
  }),
  'portal_conversations.delete': peopleScenario(async ({ session, project, project_id }) => {
    const { conversation_id } = await newPortalProposal(session, project_id)
    return { route: `DELETE ${project}/portal-assistant/conversations/${conversation_id}` }
  }),
  'portal_messages.send': peopleScenario(({ project }) => ({
    route: `POST ${project}/portal-assistant/messages`,
    body: { text: 'Which sites do we have?' },
  })),
  'portal_proposals.create': peopleScenario(async ({ session, project, project_id }, turn) => {
    const { conversation_id } = await newPortalProposal(session, project_id)
    const form = { operation: 'collections.create', arguments: { name: `new-${turn}` } }
    return {
      route: `POST ${project}/portal-assistant/proposals`,
      body: { conversation_id, ...form },
    }
  }),
  'portal_proposals.run': peopleScenario(async ({ session, project, project_id }, turn) => {
    const { id, hash } = await newPortalProposal(session, project_id, { name: `run-${turn}` })
    return { route: `POST ${project}/portal-assistant/proposals/${id}/run`, body: { hash } }
  }),
  'portal_proposals.edit': peopleScenario(async ({ session, project, project_id }, turn) => {
    const { id, hash } = await newPortalProposal(session, project_id, { name: `edit-${turn}` })
    const body = { hash, arguments: { name: `edited-${turn}` } }
    return { route: `PUT ${project}/portal-assistant/proposals/${id}/arguments`, body }
  }),
  'portal_proposals.decline': peopleScenario(async ({ session, project, project_id }) => {
    const { id, hash } = await newPortalProposal(session, project_id)
    return { route: `POST ${project}/portal-assistant/proposals/${id}/decline`, body: { hash } }
  }),
}
