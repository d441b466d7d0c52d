/** What the code of an app reaches: the objects of `env`, its log, and hosts that it may fetch. */
import { NoSlot } from '../../../kernel/limits/slots.ts'
import { OutboundError } from '../../../kernel/outbound/outbound.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  AppError,
  type AppHost,
  type EgressRequest,
} from '../../../providers/app-runtime/app-runtime.ts'
import type { AppPool } from '../../../kernel/database/app-schemas.ts'
import { findRoom, measure, openPool, queryLimits } from '../database/app-database.ts'
import {
  runStatements,
  StatementFailed,
  type Statement,
} from '../../../kernel/database/run-app-statements.ts'
import { findSession } from '../users/sessions.ts'
import { logLine, type LogLevel } from './logs.ts'
import { isService, runService, type HostedApp } from './services.ts'

const FETCH_MS_MAX = 30_000
const FETCH_BYTES_MAX = 10 * 1_048_576
const MEASURE_EVERY_MS = 60_000
/** Time in statements until the size is measured again, because it bounds what they can write. */
const MEASURE_WORK_MS = 5_000
const READ_ONLY = '25006'

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
      if (name === 'auth') return findUser(runtime, app, input)
      if (name === 'logs') return noteLines(input, note)
      if (isService(name)) return runService(runtime, app, { name, input })
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

async function findUser(runtime: Runtime, app: HostedApp, input: unknown) {
  const session = app.auth && (await findSession(runtime, app, Object(input).cookie))
  return session ? session.user : null
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
  let worked_ms = 0
  let is_full = false

  async function updateSize(): Promise<void> {
    measured_ms = performance.now()
    worked_ms = 0
    is_full = (await measure(runtime, app)) >= (await findRoom(runtime, app))
  }

  return {
    async run(input: unknown) {
      const statements = readStatements(input)
      opening ??= openPool(runtime, app)
      opening.catch(() => (opening = null))
      const from_ms = performance.now()
      const is_due = from_ms - measured_ms > MEASURE_EVERY_MS || worked_ms > MEASURE_WORK_MS
      try {
        const pool = await opening
        if (is_due) await updateSize()
        const options = { read_only: is_full, ...queryLimits }
        return await runStatements(pool, statements, options)
      } catch (error) {
        if (error instanceof NoSlot) throw new AppError('DatabaseError', error.message)
        if (!(error instanceof StatementFailed)) throw error
        if (error.code === READ_ONLY && is_full) throw new AppError('DatabaseError', fullText)
        throw new AppError('DatabaseError', error.message)
      } finally {
        worked_ms += performance.now() - from_ms
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
