/** What the code of an app reaches: env.DB, env.DATA, env.AUTH, its log, and hosts that it may fetch. */
import assert from 'node:assert/strict'
import { Problem } from '../../../contract/errors.ts'
import type { Caller } from '../../../contract/caller.ts'
import { OutboundError } from '../../../kernel/outbound/outbound.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  AppError,
  type AppHost,
  type EgressRequest,
} from '../../../providers/app-runtime/app-runtime.ts'
import * as projects from '../../projects/service.ts'
import type { AppPool } from '../../../kernel/database/app-schemas/schemas.ts'
import { isFull, measure, openPool, queryLimits } from '../database/app-database.ts'
import {
  runStatements,
  StatementFailed,
  type Statement,
} from '../../../kernel/database/app-schemas/run.ts'
import type { ServedApp, VersionRow } from '../store.ts'
import { findUserOfCookie } from '../users/sessions.ts'
import { logLine, type LogLevel } from './logs.ts'

const FETCH_MS_MAX = 30_000
const FETCH_BYTES_MAX = 10 * 1_048_576
const MEASURE_EVERY_MS = 60_000
const READ_ONLY = '25006'

export interface HostedApp extends ServedApp {
  settings: Pick<VersionRow, 'allowed_hosts' | 'collections'>
  name: string
  test: boolean
}

export function createHost(runtime: Runtime, app: HostedApp): AppHost {
  const database = createDatabaseBinding(runtime, app)
  const note = (level: LogLevel, text: string, place: string | null) => {
    const { project_id, id: app_id, version } = app
    const at = runtime.clock.now()
    logLine(runtime, { project_id, app_id, version, level, text, place, at })
  }
  return {
    async call(name, input) {
      if (name === 'db') return database.run(input)
      if (name === 'data') return runDataCall(runtime, app, input)
      if (name === 'auth') return app.auth ? findUserOfCookie(runtime, app, input) : null
      if (name === 'logs') return noteLines(input, note)
      throw new AppError('TypeError', 'There is no such binding.')
    },
    refusal: (url) => refusalOf(url, app.settings.allowed_hosts),
    egress: (request) => fetchOutside(runtime, request),
    stopped: (reason) => note('system', stopTexts[reason], null),
    closed: () => database.close(),
    onError: (error) =>
      runtime.log.error({ err: error, app_id: app.id }, 'a call of an app failed'),
  }
}

const stopTexts = {
  loop: 'The app was stopped: its code worked for over a second without a pause.',
  memory: 'The app was stopped: it used too much memory.',
  ended: 'The app ended by itself, for example because its memory was used up.',
} as const

const levels: readonly LogLevel[] = ['debug', 'info', 'log', 'warn', 'error', 'exception']

function noteLines(
  input: unknown,
  note: (level: LogLevel, text: string, place: string | null) => void,
): null {
  const { lines } = Object(input)
  for (const { level, text, place } of Array.isArray(lines) ? lines : []) {
    const known = levels.find((one) => one === level) ?? 'log'
    note(known, String(text), place === null ? null : String(place))
  }
  return null
}

function createDatabaseBinding(runtime: Runtime, app: HostedApp) {
  let opening: Promise<AppPool> | null = null
  let measured_ms = 0
  let is_full = false

  async function updateSize(): Promise<void> {
    measured_ms = performance.now()
    await measure(runtime, app)
    is_full = await isFull(runtime, app)
  }

  return {
    async run(input: unknown) {
      const statements = readStatements(input)
      opening ??= openPool(runtime, app)
      opening.catch(() => (opening = null))
      const pool = await opening
      if (performance.now() - measured_ms > MEASURE_EVERY_MS) await updateSize()
      try {
        const options = { read_only: is_full, ...queryLimits }
        return await runStatements(pool, statements, options)
      } catch (error) {
        if (!(error instanceof StatementFailed)) throw error
        if (error.code === READ_ONLY && is_full) throw new AppError('DatabaseError', fullText)
        throw new AppError('DatabaseError', error.message)
      }
    },
    close() {
      void opening?.then((pool) => pool.end()).catch(() => {})
    },
  }
}

const fullText =
  'The database of the app is full. Delete rows with POST /apps/{id}/migrations, or choose a larger plan.'

const STATEMENTS_MAX = 100

function readStatements(input: unknown): Statement[] {
  const { statements } = Object(input)
  if (!Array.isArray(statements) || statements.length === 0 || statements.length > STATEMENTS_MAX)
    throw new AppError('TypeError', `A batch has 1 to ${STATEMENTS_MAX} statements.`)
  return statements.map((one) => {
    const { sql, parameters = [] } = Object(one)
    if (typeof sql !== 'string' || !Array.isArray(parameters))
      throw new AppError('TypeError', 'A statement has sql, a text, and parameters, a list.')
    return { sql, parameters }
  })
}

/** Authorizes and runs an operation by its name. Returns the reply as JSON, empty without one. */
export type RunOperation = (
  name: string,
  given: Record<string, unknown>,
  caller: Caller,
) => Promise<string>

const runners = new WeakMap<Runtime, RunOperation>()

/** Hands in the operations, which this area cannot import. */
export function setOperationsOfApps(runtime: Runtime, run: RunOperation): void {
  runners.set(runtime, run)
}

/** Operations by the methods of env.DATA. */
const operations = {
  insert: 'documents.create',
  get: 'documents.get',
  list: 'documents.list',
  update: 'documents.update',
  delete: 'documents.delete',
} as const

async function runDataCall(runtime: Runtime, app: HostedApp, input: unknown): Promise<unknown> {
  const { action, collection, id, document, query } = Object(input)
  const name = Object.hasOwn(operations, action) && operations[action as keyof typeof operations]
  if (!name) throw new AppError('TypeError', 'There is no such method.')
  if (typeof collection !== 'string' || !app.settings.collections.includes(collection)) {
    const text = `The app may not use the collection "${collection}". Name it in collections of PUT /apps/{id}.`
    throw new AppError('Forbidden', text)
  }
  const caller = await callerOf(runtime, app)
  const given = argumentsOf(action, { collection, id, document, query })
  try {
    const run = runners.get(runtime)
    assert(run, 'the runner of operations is handed in at the start')
    const text = await run(name, given, caller)
    return text === '' ? null : JSON.parse(text)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new AppError(error.slug, error.message)
  }
}

function argumentsOf(
  action: keyof typeof operations,
  { collection: name, id, document, query }: Record<string, unknown>,
): Record<string, unknown> {
  if (action === 'insert') return { name, body: document }
  if (action === 'list') return { ...Object(query), name }
  if (action === 'update') return { name, id, body: document }
  return { name, id }
}

/** The app as a caller, limited to its collections. */
async function callerOf(runtime: Runtime, app: HostedApp): Promise<Caller> {
  const project = await projects.find(runtime.db, app.project_id)
  if (!project || !project.enabled) throw new AppError('Forbidden', 'The project is switched off.')
  return {
    runtime,
    db: runtime.db,
    request_id: `app-${app.id}`,
    project,
    mode: app.test ? 'test' : 'live',
    key_id: app.id,
    scopes: new Set(['data:read', 'data:write']),
    access: {
      sites: [app.site_id],
      apps: [app.id],
      collections: [...app.settings.collections],
      limited_by: 'api_key',
    },
    entry_point: 'job',
    agent: { id: app.id, name: app.name, cause: [] },
    idempotency_key: null,
    remember: async () => {},
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

async function fetchOutside({ outbound }: Runtime, { url, method, headers, body }: EgressRequest) {
  const known = methods.find((one) => one === method)
  if (!known) throw new AppError('TypeError', 'This request cannot be made.')
  try {
    return await outbound.request({
      url,
      method: known,
      headers,
      ...(body.length > 0 ? { body } : {}),
      deadline_ms: FETCH_MS_MAX,
      response_bytes_max: FETCH_BYTES_MAX,
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new AppError(error.fault, error.message)
  }
}

function refusalOf(url: string, allowed: readonly string[]): string | null {
  const place = URL.parse(url)
  if (!place) return 'This request cannot be made.'
  if (isAllowed(place, allowed)) return null
  return `The app may not fetch from ${place.host}. Name it in allowed_hosts of PUT /apps/{id}.`
}

/** A host without a port means the default port of the scheme. */
function isAllowed({ host, hostname, port }: URL, allowed: readonly string[]): boolean {
  return allowed.includes(host) || (port === '' && allowed.includes(hostname))
}
