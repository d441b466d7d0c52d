/**
 * Homeport in its normal configuration with 2,000 projects. Reads and lists use one project with as
 * many documents as the peers; writes go to all other projects in turn.
 */
import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import { startServer } from '../../test/fixtures/server-process.ts'
import { addKeys, bearers } from '../support/keys.ts'
import { addTenants, settings, type Tenant } from '../support/tenants.ts'
import { postJson } from './peer.ts'
import {
  COUNTS,
  DOCUMENTS,
  PAGE,
  listBounds,
  batchBodies,
  sample,
  shuffled,
  createBodies,
} from './target.ts'
import type { Requests } from '../support/load.ts'
import type { TargetFixture, Target, LoadTask } from './target.ts'

/** Enough keys that none reaches its limit of 120 requests per minute. */
const KEYS = 12_000
const PROJECTS = 2_000
/** The plan must permit enough data for a long run. */
const PLAN = 'enterprise'

export interface Homeport extends Target {
  /** Requests for a list with these query parameters; `requests('list')` has those that peers get. */
  listing(query: string): Requests
  origin: string
  child: ChildProcess
  /** Sends one request, with one of the keys. */
  post(path: string, body: unknown): Promise<unknown>
}

/** `environment` adds to the settings that every server is started with. */
export async function startHomeport(
  fixture: TargetFixture,
  environment: Record<string, string> = {},
): Promise<Homeport> {
  const { connection, url } = await fixture.newDatabase('homeport_bench')
  const server = await startServer(fixture.folder, {
    DATABASE_URL: url,
    HOMEPORT_LOG_LEVEL: 'error',
    ...environment,
  })
  const { base_url = '', project_id = '' } = server.banner
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('update projects set plan = $2 where id = $1', [project_id, PLAN])
  const authorizations = bearers(await addKeys(client, project_id, KEYS))
  const ids = await addDocuments(base_url, authorizations)
  const tenants = await addTenants({ client, base_url, demo_id: project_id, projects: PROJECTS })
  await client.end()

  let posted = 0
  const { port, origin } = new URL(base_url)
  const documents = '/api/v1/collections/documents/documents'
  const reading = (paths: readonly string[]): Requests => ({
    port: Number(port),
    count: KEYS,
    methods: ['GET'],
    headers: authorizations,
    paths,
  })
  const writing = (task: 'create' | 'batch'): Requests => ({
    port: Number(port),
    count: COUNTS[task],
    methods: ['POST'],
    headers: inTurn(tenants),
    paths: [task === 'batch' ? `${documents}/batch` : documents],
    bodies: bodies[task],
  })
  const requests: Record<LoadTask, Requests> = {
    get: reading(shuffled(ids).map((id) => `${documents}/${id}`)),
    list: reading(
      listBounds.map((n) => {
        const query = `filter=${encodeURIComponent(`n <= ${n}`)}&sort=-n&limit=${PAGE}`
        return `${documents}?${query}`
      }),
    ),
    create: writing('create'),
    batch: writing('batch'),
  }
  return {
    name: 'homeport',
    version: '0.1.0',
    about:
      '2,000 projects. Key, scope, reach and rate of every request, JSON Schema of every document, ' +
      'counts and bytes against limits, a number for every change.',
    pid: server.child.pid!,
    child: server.child,
    listing: (query) => reading([`${documents}?limit=${PAGE}${query}`]),
    origin,
    post(path, body) {
      const headers = { ...authorizations[(posted += 1) % KEYS]!, ...json }
      return postJson(origin + path, headers, body)
    },
    requests: async (task) => requests[task],
    stop: async () => void (await server.stop()),
  }
}

const json = { 'content-type': 'application/json' }

/** The first header of each project, then the second of each, so that projects take turns. */
function inTurn(tenants: readonly Tenant[]) {
  const each = tenants[0]?.headers ?? []
  return each.flatMap((_, at) => tenants.map(({ headers }) => ({ ...headers[at]!, ...json })))
}

const bodies = {
  create: createBodies.map((one) => JSON.stringify(one)),
  batch: batchBodies.map((all) =>
    JSON.stringify({ operations: all.map((data) => ({ op: 'create', data })) }),
  ),
}

/** Creates the collection `documents` with DOCUMENTS documents; returns their ids. */
async function addDocuments(
  base_url: string,
  headers: readonly Record<string, string>[],
): Promise<string[]> {
  const post = (at: number, path: string, body: unknown) =>
    postJson(base_url + path, { ...headers[at]!, ...json }, body)
  await post(0, '/collections', { name: 'documents', ...settings })
  const ids: string[] = []
  for (let n = 0; n < DOCUMENTS; n += 500) {
    const all = Array.from({ length: 500 }, (_, at) => sample(n + at))
    const operations = all.map((data) => ({ op: 'create', data }))
    const made = Object(await post(n, '/collections/documents/documents/batch', { operations }))
    for (const { id } of made.results) ids.push(id)
  }
  return ids
}
