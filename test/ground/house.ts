/**
 * The test ground: a real server on a free port with a database of its own, a clock that can be
 * moved, a project and keys. Tests come in through the front door, over HTTP.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { buildApp, startWork } from '../../server/app.ts'
import * as keys from '../../server/areas/keys/service.ts'
import * as projects from '../../server/areas/projects/service.ts'
import type { Access, Mode } from '../../server/contract/caller.ts'
import { limits } from '../../server/contract/limits.ts'
import type { Plan } from '../../server/contract/plans.ts'
import type { Scope } from '../../server/contract/scopes.ts'
import { createWakeups } from '../../server/kernel/wakeups.ts'
import { openBlobs } from '../../server/kernel/blobs/blobs.ts'
import { movableClock, type MovableClock } from '../../server/kernel/clock.ts'
import { readConfig, withPort } from '../../server/kernel/config.ts'
import { createSeal } from '../../server/kernel/crypto.ts'
import { openDatabase } from '../../server/kernel/database.ts'
import type { House } from '../../server/kernel/house.ts'
import { createLog } from '../../server/kernel/log.ts'
import { createMetrics } from '../../server/kernel/metrics.ts'
import { createOutbound, type Resolve } from '../../server/kernel/outbound.ts'
import { createTestDatabase, dropTestDatabase } from './cluster.ts'

export interface CallOptions {
  /** The bearer; the project's test key by default, null for none. */
  key?: string | null
  body?: unknown
  headers?: Record<string, string>
  /** Sent as it is, instead of `body`. */
  raw?: string | Uint8Array
}

export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON, or null when there is none. */
  body: any
  text: string
}

export interface TestHouse {
  house: House
  clock: MovableClock
  app: FastifyInstance
  connection: pg.PoolConfig
  /** The origin of the server. */
  url: string
  /** A single project on the plan Reachable, with a test key that has every scope. */
  project_id: string
  key: string
  /** `call('GET /numbers')`: a path below the API root, or an absolute one after the origin with `//`. */
  call(route: string, options?: CallOptions): Promise<Answer>
  /** The same for what is looked at again and again: no key makes more requests than it may. */
  look(route: string, project_id?: string): Promise<Answer>
  /** Moves the clock: `passes('6 hours')`, `passes('90 seconds')`; due work runs at once. */
  passes(time: string): void
  newProject(options?: { shape?: 'single' | 'pair'; plan?: Plan }): Promise<NewTestProject>
  newKey(options?: {
    project_id?: string
    mode?: Mode
    scopes?: readonly Scope[]
    access?: Access
  }): Promise<string>
}

export type NewTestProject = {
  project_id: string
  live_project_id: string
  test_project_id: string
}

export interface TestHouseOptions {
  /** Settings as in the environment. */
  settings?: Record<string, string>
  /** Whether jobs and deliveries run; they do unless told otherwise. */
  work?: boolean
  /** One that stands still, where a test depends on how much time has passed. */
  clock?: MovableClock
  /** Who closes the house; left out, it is the test (or file of tests) that it is opened in. */
  atEnd?: (close: () => Promise<void>) => void
  /** Resolves the names of outside calls, instead of the machine's resolver. */
  resolve?: Resolve
  /** Something that stands between the house and its database. */
  relay?: (
    database: pg.PoolConfig,
  ) => Promise<{ connection: pg.PoolConfig; close(): Promise<void> }>
}

const baseSettings = {
  HOMEPORT_PORT: '0',
  HOMEPORT_TEST_CLOCK: '1',
  HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: '1',
  HOMEPORT_EGRESS_ALLOW_PRIVATE: '1',
  HOMEPORT_SECRET: 'a master key for tests that is long enough',
  HOMEPORT_LOG_LEVEL: process.env['HOMEPORT_LOG_LEVEL'] ?? 'silent',
}

/** Opens a house and closes it when the test file (or the suite it is called in) ends. */
export async function openTestHouse({
  settings = {},
  work = true,
  clock = movableClock(),
  atEnd = after,
  relay,
  resolve,
}: TestHouseOptions = {}): Promise<TestHouse> {
  const connection = await createTestDatabase()
  const between = await relay?.(connection)
  const folder = mkdtempSync(join(tmpdir(), 'homeport-house-'))
  const config = readConfig({ ...baseSettings, ...settings }, folder)
  const log = createLog(config.log_level)
  const onError = (error: Error) => log.warn({ err: error })
  const db = openDatabase({ connection: between?.connection ?? connection, onError })
  const policy = { allow_cidrs: config.egress_allow, proxy_url: null }
  const parts = resolve ? { resolve } : {}
  const outbound = createOutbound({ ...policy, allow_private: config.egress_allow_private }, parts)
  const webhook_outbound = createOutbound(
    { ...policy, allow_private: config.webhooks_allow_private },
    parts,
  )
  const seal = createSeal(config.secret)
  const house: House = {
    config,
    db,
    clock,
    log,
    seal,
    wakeups: createWakeups(),
    blobs: openBlobs(config),
    metrics: createMetrics(),
    outbound,
    webhook_outbound,
  }
  const app = buildApp(house, config.test_clock ? clock : null)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  house.config = withPort(config, port)
  const working = work ? startWork(house) : null
  atEnd(async () => {
    await app.close()
    await working?.stop()
    await outbound.close()
    await webhook_outbound.close()
    await house.blobs.close()
    await db.close()
    await between?.close()
    await dropTestDatabase(connection)
    rmSync(folder, { recursive: true, force: true })
  })
  return furnish({ house, clock, app, connection, url: `http://127.0.0.1:${port}` })
}

type Bare = Pick<TestHouse, 'house' | 'clock' | 'app' | 'connection' | 'url'>

async function furnish(bare: Bare): Promise<TestHouse> {
  const { house, clock, url } = bare
  const newProject: TestHouse['newProject'] = async ({
    shape = 'single',
    plan = 'reachable',
  } = {}) => {
    const made = await projects.create(house, { name: 'Test', shape, plan, owner_email: null })
    return { project_id: '', live_project_id: '', test_project_id: '', ...made }
  }
  const { project_id } = await newProject()
  const newKey: TestHouse['newKey'] = async ({
    mode = 'test',
    scopes = keys.allScopes,
    access,
    ...rest
  } = {}) => {
    const { key } = await keys.create(house, {
      project_id: rest.project_id ?? project_id,
      mode,
      name: 'Key of a test',
      scopes,
      access: access ?? null,
    })
    return key
  }
  const key = await newKey()
  const lookers = new Map<string, { key: string; left: number }>()
  const look: TestHouse['look'] = async (route, of = project_id) => {
    let looker = lookers.get(of)
    if (!looker?.left) {
      looker = { key: await newKey({ project_id: of }), left: limits.requests_max }
      lookers.set(of, looker)
    }
    looker.left -= 1
    return call(url, route, { key: looker.key })
  }
  return {
    ...bare,
    project_id,
    key,
    newProject,
    newKey,
    call: (route, options = {}) => call(url, route, { key, ...options }),
    look,
    passes(time) {
      clock.advance(secondsOf(time))
      for (const topic of ['jobs', 'reconcilers', 'deliveries']) house.wakeups.announce(topic)
    },
  }
}

async function call(
  origin: string,
  route: string,
  { key, body, headers, raw }: CallOptions,
): Promise<Answer> {
  const [method = 'GET', path = '/'] = route.split(' ')
  const address = path.startsWith('//') ? origin + path.slice(1) : `${origin}/api/v1${path}`
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(address, {
    method,
    redirect: 'manual',
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : Buffer.from(sent) }),
  })
  const text = await response.text()
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : null,
  }
}

const unitSeconds: Record<string, number> = { second: 1, minute: 60, hour: 3600, day: 86_400 }

function secondsOf(time: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) (second|minute|hour|day)s?$/.exec(time) ?? []
  if (!amount || !unit) throw new Error(`"${time}" is not a time such as "6 hours".`)
  return Number(amount) * unitSeconds[unit]!
}
