/**
 * The server process: reads settings, opens the database, migrates it, listens, starts jobs and
 * deliveries, and stops in reverse order. People and scripts read the banner on stdout; everything
 * else goes to stderr.
 */
import type { FastifyInstance } from 'fastify'
import { buildApp, sealedColumns, startWork } from './app.ts'
import { toLinkUrl } from './areas/people/service.ts'
import { readBadLinks } from './areas/sites/service.ts'
import { describePriceFaults } from './contract/prices.ts'
import { API_ROOT } from './edges/http/routes.ts'
import { openMailPort, type MailPort } from './edges/mail-port/mail-port.ts'
import { startPortalBuild, type PortalBuild } from './edges/portal-app/build.ts'
import { systemClock } from './kernel/clock.ts'
import { ConfigError, readConfig, withPort } from './kernel/config/config.ts'
import type { Config } from './kernel/config/config-types.ts'
import { isClusterWorker, joinCluster, reportFailedStart } from './kernel/cluster/worker.ts'
import { startCluster, WorkerStartFailed } from './kernel/cluster/primary.ts'
import { connectNotifications, type Notifications } from './kernel/jobs/notifications.ts'
import { InitdbFailed } from './kernel/database/embedded-postgres.ts'
import { UnfitDatabase } from './kernel/database/migrations.ts'
import { openRuntime, type OpenRuntime } from './kernel/open-runtime.ts'
import type { Runtime } from './kernel/runtime.ts'
import { onParentEnd } from './kernel/process/parent.ts'
import { requireMasterKeys } from './kernel/database/sealed/sealed-columns.ts'
import { surviveUnexpectedErrors } from './kernel/process/unexpected-errors.ts'
import { storeClockMoves, storePublicUrl } from './kernel/settings.ts'
import { commandsForAccess, createDemo, markDemoSeen, type Demo } from './demo.ts'

/** Maximum time of a stop: more than its parts wait for, which is 10 s for jobs and 20 s for PostgreSQL. */
const STOP_MS_MAX = 35_000

const UNMARKED =
  'the key of the demo project could not be marked as printed; the next start prints another'

/** Serves HTTP: the server of this process, or a cluster of workers. */
interface Front {
  port: number
  stop(): Promise<void>
}

interface Running extends OpenRuntime {
  front: Front
  work: { stop(): Promise<void> } | null
  /** null without HOMEPORT_EMAIL_LISTEN, and in a cluster worker. */
  mail: MailPort | null
  /** null in a cluster worker: the primary has the connection and relays wake-ups. */
  notifications: Notifications | null
  /** null in a cluster worker: the primary builds the portal. */
  portal: PortalBuild | null
}

async function start(config: Config): Promise<Running> {
  refuseFaultyPrices(config)
  refuseFaultyBadLinks(config)
  const open = await openRuntime(config, { beside: isClusterWorker })
  try {
    const { runtime } = open
    surviveUnexpectedErrors(runtime)
    if (isClusterWorker) return await startWorker(open, config)
    await requireMasterKeys(runtime.db, runtime.seal, sealedColumns)
    await storeClockMoves(runtime.db, config.test_clock)
    const { workers } = config
    const notifications = connectNotifications(runtime, open.connection)
    const front = workers > 1 ? await startCluster(runtime, workers) : await openFront(open, config)
    runtime.config = withPort(config, front.port)
    if (config.roles.has('web')) await storePublicUrl(runtime.db, runtime.config.public_url)
    const mail = config.roles.has('worker') ? await openMailPort(runtime) : null
    const work = config.roles.has('worker') ? startWork(runtime) : null
    // A start that received a stop signal creates no demo key, because its banner would not be
    // read.
    if (!is_stopping) await printBanner(runtime)
    const portal = config.roles.has('web') && !is_stopping ? startPortalBuild(runtime) : null
    releaseMemory()
    return { ...open, front, work, mail, notifications, portal }
  } catch (error) {
    await open.close()
    throw error
  }
}

/** A cluster worker. The primary process prints the banner. */
async function startWorker(open: OpenRuntime, config: Config): Promise<Running> {
  joinCluster(open.runtime)
  const front = await openFront(open, config)
  releaseMemory()
  return { ...open, front, work: null, mail: null, notifications: null, portal: null }
}

async function openFront({ runtime, clock }: OpenRuntime, config: Config): Promise<Front> {
  const app = buildApp(runtime, config.test_clock ? clock : null)
  const port = await listen(app, config)
  // Port 0 is replaced by the real port. No request was served before.
  runtime.config = withPort(config, port)
  return { port, stop: () => app.close() }
}

/** Refuses to start with an invalid price file. */
function refuseFaultyPrices({ prices, billing_timezone }: Config): void {
  const today = Temporal.Instant.fromEpochMilliseconds(systemClock.now_ms())
    .toZonedDateTimeISO(billing_timezone)
    .toPlainDate()
  const faults = describePriceFaults(prices, today.toString())
  if (faults.length > 0) throw new ConfigError(`HOMEPORT_PRICES: ${faults.join('\n')}`)
}

/** Refuses to start with an invalid line in the list of bad links, which would block nothing. */
function refuseFaultyBadLinks({ bad_links }: Config): void {
  const { faults } = readBadLinks(bad_links)
  if (faults.length > 0) throw new ConfigError(`HOMEPORT_BAD_LINKS: ${faults.join('\n')}`)
}

/**
 * Returns the memory that the start used, 50 MB, to the system. `gc` is defined by the flag
 * --expose-gc, which `npm start` sets; without it V8 keeps that memory until the server is busy.
 */
function releaseMemory(): void {
  void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<number> {
  await app.listen({ host, port })
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : port
}

/**
 * Creates the demo project and prints the banner. The demo is marked as printed only after its key is
 * written, so that a failed start prints a key again.
 */
async function printBanner(runtime: Runtime): Promise<void> {
  const { config, db, log } = runtime
  const demo = config.production ? null : await createDemo(runtime)
  const access = config.production || demo ? {} : await commandsForAccess(db)
  await new Promise<void>((done, fail) => {
    const written = (error?: Error | null) => (error ? fail(error) : done())
    process.stdout.write(banner(config, demo, access), written)
  })
  // The server runs already, so a failure here only means that the next start prints another key.
  if (demo) await markDemoSeen(db).catch((error: unknown) => log.warn({ err: error }, UNMARKED))
}

function banner(
  { public_url, sites_domain }: Config,
  demo: Demo | null,
  access: Record<string, string>,
): string {
  const lines = {
    base_url: public_url + API_ROOT,
    portal_url: `${public_url}/portal`,
    mcp_url: `${public_url}/mcp`,
    docs_url: `${public_url}/docs`,
    sites: sites_domain,
    ...(demo && { project_id: demo.project_id, test_key: demo.test_key }),
    ...(demo?.link_secret ? { sign_in_url: toLinkUrl(public_url, demo.link_secret) } : {}),
    ...access,
  }
  const named = Object.entries(lines).map(([name, value]) => `${name}: ${value}\n`)
  return `Homeport is ready\n${named.join('')}`
}

/** Stops taking requests, waits for running requests and work, then stops the database. */
async function stop({ front, work, mail, notifications, portal, close, runtime }: Running) {
  setTimeout(() => {
    runtime.log.error('the stop took too long, and the process exits now')
    process.exit(1)
  }, STOP_MS_MAX).unref()
  portal?.stop()
  await mail?.stop()
  await front.stop()
  await portal?.done
  await work?.stop()
  await notifications?.stop()
  await close()
}

/** Installed first, so that a signal during the start stops what was started, in order. */
function stopSignal(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => done())
    if (isClusterWorker) process.on('disconnect', () => done())
    else onParentEnd('server/start.js', done)
  })
}

const stop_requested = stopSignal()
let is_stopping = false
void stop_requested.then(() => (is_stopping = true))
try {
  const running = await start(readConfig())
  await stop_requested
  await stop(running)
  process.exit(0)
} catch (error) {
  // Ctrl-C also ends initdb, which then fails. The next start runs it again.
  if (is_stopping && error instanceof InitdbFailed) process.exit(0)
  const fault = startFault(error)
  if (isClusterWorker) await reportFailedStart(fault)
  else process.stderr.write(`${fault}\n`)
  process.exit(1)
}

function startFault(error: unknown): string {
  const forOperator = [ConfigError, UnfitDatabase, WorkerStartFailed]
  if (error instanceof Error && forOperator.some((kind) => error instanceof kind)) {
    return error.message
  }
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error ? String(error.port) : ''
    return `The port ${port} is in use by another program. Set HOMEPORT_PORT to a free one, or to 0.`
  }
  return `Homeport ended with an error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
