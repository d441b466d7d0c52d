/**
 * A stage for tests of deliveries: a house whose events are of stand-ins for calls and emails,
 * and projects with an endpoint at a real receiver each. Tests come in through the front door.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { Type } from 'typebox'
import { openTestHouse, type Answer } from './house.ts'
import { Dropped, event, type EventSource } from '../../server/contract/events.ts'
import { webhookTest } from '../../server/areas/webhooks/events.ts'
import { createClaimer } from '../../server/areas/webhooks/queue/claim.ts'
import type { Claimed } from '../../server/areas/webhooks/queue/store.ts'
import { startDeliveries } from '../../server/areas/webhooks/runner.ts'
import { emit, type Occurrence } from '../../server/areas/webhooks/service.ts'
import { handInSources } from '../../server/areas/webhooks/sources.ts'
import {
  eventually,
  openReceiver,
  type Receiver,
} from '../../server/areas/webhooks/test-receiver.ts'

export interface Scene {
  project_id: string
  key: string
  receiver: Receiver
  endpoint: { id: string; url: string; secret: string }
  /** Says that something happened in this project and gives the id of its subject. */
  emit(type: Occurrence['type'], id?: string): Promise<string>
  /** A request with the key of this project. */
  ask(route: string, body?: object): Promise<Answer>
  /** The deliveries of the endpoint, the newest first, as the front door shows them. */
  list(query?: string): Promise<Answer['body'][]>
  /** The newest delivery, once it has had so many attempts. */
  settled(attempts: number): Promise<Answer['body']>
  /** Claims whatever is due now, as a pool does, and shows what of it is of this project. */
  claim(): Promise<Claimed[]>
}

/** Opens the house. Deliveries go out unless `pause` was called, until `resume` is. */
export async function openStage() {
  const ground = await openTestHouse({ work: false })
  const { house } = ground
  const deleted = new Set<string>()
  const sources = standIns(deleted)
  handInSources(house, sources)
  let pool = startDeliveries(house, { sources })
  after(() => pool.stop())
  return {
    ...ground,
    /** Calls that are no more: their events are dropped. */
    deleted,
    pause: () => pool.stop(),
    resume: () => void (pool = startDeliveries(house, { sources })),
    newScene: (body?: object) => newScene(ground, body),
  }
}

function standIns(deleted: ReadonlySet<string>): EventSource[] {
  const data = Type.Object({ id: Type.String() })
  const load = async (id: string) => (deleted.has(id) ? new Dropped('call_deleted') : { id })
  type CallSubject = { call_id: string }
  return [
    webhookTest,
    event({ type: 'call.completed', data, load: (_db, _p, s: CallSubject) => load(s.call_id) }),
    event({ type: 'call.summary.ready', data, load: (_db, _p, s: CallSubject) => load(s.call_id) }),
    event({
      type: 'email.sent',
      data,
      load: (_db, _p, { email_id }: { email_id: string }) => load(email_id),
    }),
  ]
}

type Ground = Awaited<ReturnType<typeof openTestHouse>>

async function newScene({ house, ...ground }: Ground, body: object = {}): Promise<Scene> {
  const { project_id } = await ground.newProject()
  const key = await ground.newKey({ project_id })
  const receiver = await openReceiver()
  const ask: Scene['ask'] = (route, sent) =>
    ground.call(route, { key, ...(sent ? { body: sent } : {}) })
  const events = ['call.completed', 'call.summary.ready']
  const made = await ask('POST /webhooks', { url: receiver.url, events, ...body })
  assert.equal(made.status, 201, made.text)
  const list: Scene['list'] = async (query = '') => {
    const route = `GET /webhooks/${made.body.id}/deliveries${query}`
    const answer = await ground.look(route, project_id)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  return {
    project_id,
    key,
    receiver,
    endpoint: made.body,
    async emit(type, id = randomUUID()) {
      const subject = { [type.startsWith('call.') ? 'call_id' : 'email_id']: id }
      await house.db.transact((tx) => emit(tx, house, { project_id, type, subject }))
      return id
    },
    ask,
    list,
    settled: (attempts) => settled({ house, ...ground }, { project_id, attempts, list }),
    async claim() {
      const claimed = await createClaimer(house, new Set())(64)
      return claimed.filter((one) => one.project_id === project_id)
    },
  }
}

interface Settling {
  project_id: string
  attempts: number
  list: Scene['list']
}

// Waited for past the front door, which would count how often a test looks.
async function settled({ house }: Ground, { project_id, attempts, list }: Settling) {
  await eventually(async () => {
    const row = await house.db
      .selectFrom('webhook_deliveries')
      .select('attempts_made')
      .where('project_id', '=', project_id)
      .orderBy('event_id', 'desc')
      .executeTakeFirst()
    return row?.attempts_made === attempts
  })
  return (await list('?limit=1'))[0]
}
