/**
 * Deploys: the code is checked by starting it once, then one transaction writes an immutable version and
 * makes it live.
 */
import { schemaChecks } from '../../../kernel/values/typebox.ts'
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { afterCommit, type Reader, type Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createSlots } from '../../../kernel/limits/slots.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { nextTime, readCron } from '../../../kernel/values/cron.ts'
import {
  AppStartFailed,
  startApp,
  type AppHost,
} from '../../../providers/app-runtime/app-runtime.ts'
import { isTimezone } from '../../data/service.ts'
import { findSite, requireNotOffline, runCountedDeploy } from '../../sites/service.ts'
import { findApp, present, unknownApp, versionOf } from '../apps.ts'
import { AppDeploy, type App, type AppInput, type Module, type RollbackInput } from '../schema.ts'
import { grantedServices } from '../running/services.ts'
import * as store from '../store.ts'
import { requirePassedContent } from './check-content.ts'
import {
  columnsOf,
  definitionOf,
  firstDefinition,
  sizeOf,
  type Definition,
  type Settings,
} from './definition.ts'
import { readModules, requireSize } from './read-modules.ts'
import { stripTypes } from './strip-types.ts'

/** The topic of wake-ups after every commit that changes what an app runs. */
export const APPS_TOPIC = 'apps'

/** POST /apps */
export async function create(caller: Caller, input: AppInput): Promise<App> {
  const { runtime, project } = caller
  const site = await findSite(caller, input.site_id)
  requireNotOffline(runtime, site)
  const at_site = { project_id: project.id, site_id: input.site_id }
  if (await store.findOfSite(caller.db, at_site)) throw hasAnApp()
  const modules = await readModules(caller, input.modules)
  const definition = firstDefinition(input, modules)
  const id = newId(runtime.clock)
  const key = { project_id: project.id, id }
  await runCountedDeploy(caller, async () => {
    const code = await check(caller, { definition, granted: none, site })
    const now = runtime.clock.now()
    await caller.db.transact(async (tx) => {
      const made = await store.insert(tx, {
        ...key,
        site_id: input.site_id,
        name: input.name,
        live_version: 1,
        last_version: 1,
        test: caller.mode === 'test',
        created_at: now,
        updated_at: now,
        deployed_at: now,
      })
      if (!made) throw hasAnApp()
      await writeVersion(tx, caller, { ...key, number: 1, definition, code })
    })
  })
  return shown(caller, id)
}

/** PUT /apps/{id} */
export async function deploy(caller: Caller, id: string, input: AppDeploy): Promise<App> {
  const { runtime, project } = caller
  const app = await findApp(caller, id)
  const site = await findSite(caller, app.site_id)
  requireNotOffline(runtime, site)
  const live = await versionOf(caller, { id, number: app.live_version })
  const modules = input.modules
    ? await readModules(caller, input.modules)
    : JSON.parse(live.modules)
  const definition = definitionOf(input, { ...live, modules })
  const is_imported = app.deployed_at === null
  const key = { project_id: project.id, id }
  await runCountedDeploy(caller, async () => {
    const code = await check(caller, { definition, granted: is_imported ? none : live, site })
    const now = runtime.clock.now()
    await caller.db.transact(async (tx) => {
      const row = await store.lock(tx, key)
      if (!row) throw unknownApp()
      if (row.live_version !== app.live_version) throw changedMeanwhile()
      const number = row.last_version + 1
      await writeVersion(tx, caller, { ...key, number, definition, code })
      await store.update(tx, key, {
        name: input.name ?? row.name,
        live_version: number,
        last_version: number,
        revision: row.revision + 1,
        updated_at: now,
        deployed_at: now,
      })
      // No check passed the version of an import, so it must never become live.
      const last = is_imported ? number + limits.app_versions_kept : number
      await store.deleteOldVersions(tx, { ...key, live: number, last })
    })
  })
  return shown(caller, id)
}

/** For callers that have not validated the input. */
export function readDeploy(given: unknown): AppDeploy {
  if (schemaChecks().Check(AppDeploy, given)) return given
  const [fault] = schemaChecks().Errors(AppDeploy, given)
  const path = fault?.instancePath ?? ''
  const message =
    fault?.keyword === 'boolean' ? 'is not a setting of an app' : (fault?.message ?? 'is not valid')
  throw new Problem('validation_failed', `The app is not valid: ${path} ${message}.`, {
    errors: [{ path, message }],
  })
}

/** POST /apps/{id}/rollback */
export async function rollback(caller: Caller, id: string, input: RollbackInput): Promise<App> {
  const { runtime, project, db } = caller
  const app = await findApp(caller, id)
  if (app.deployed_at === null) throw notDeployed()
  const key = { project_id: project.id, id }
  const number = input.version ?? (await findNumberBefore(db, key, app.live_version))
  const version = await versionOf(caller, { id, number })
  requireGrants(caller, version, app)
  // The site may have moved to another address since the version was checked.
  const { site_id, slug, label, site_title: title } = app
  await requirePassedContent(
    caller,
    { id: site_id, slug, label, title },
    JSON.parse(version.modules),
  )
  await db.transact(async (tx) => {
    const row = await store.lock(tx, key)
    if (!row) throw unknownApp()
    if (row.live_version !== app.live_version) throw changedMeanwhile()
    const now = runtime.clock.now()
    await store.update(tx, key, {
      live_version: number,
      revision: row.revision + 1,
      updated_at: now,
      deployed_at: now,
    })
    await writeSchedules(tx, runtime, { ...key, schedules: version.schedules })
    announce(tx, caller)
  })
  return shown(caller, id)
}

async function findNumberBefore(db: Reader, key: store.AppKey, live: number): Promise<number> {
  const kept = await store.listVersions(db, key)
  const earlier = kept.find(({ number }) => number < live)
  if (!earlier) throw noEarlierVersion()
  return earlier.number
}

/** DELETE /apps/{id}. The reconciler of databases drops its schema. */
export async function remove(caller: Caller, id: string): Promise<void> {
  await findApp(caller, id)
  await caller.db.transact(async (tx) => {
    if (!(await store.remove(tx, { project_id: caller.project.id, id }))) throw unknownApp()
    announce(tx, caller)
  })
}

async function shown(caller: Caller, id: string): Promise<App> {
  const row = await store.find(caller.db, { project_id: caller.project.id, id })
  if (!row) throw unknownApp()
  return present(row, caller.runtime.config)
}

interface NewVersion extends store.AppKey {
  number: number
  definition: Definition
  /** The modules as JavaScript, the main module first. */
  code: readonly Module[]
}

async function writeVersion(
  tx: Transaction,
  caller: Caller,
  { number, definition, code, ...key }: NewVersion,
): Promise<void> {
  await store.insertVersion(tx, {
    project_id: key.project_id,
    app_id: key.id,
    number,
    ...columnsOf(definition),
    code: JSON.stringify(code),
    test: caller.mode === 'test',
    created_at: caller.runtime.clock.now(),
  })
  await writeSchedules(tx, caller.runtime, { ...key, schedules: definition.schedules })
  announce(tx, caller)
}

async function writeSchedules(
  tx: Transaction,
  runtime: Runtime,
  { schedules, ...key }: store.AppKey & Pick<Settings, 'schedules'>,
): Promise<void> {
  const now = runtime.clock.now()
  const wanted = schedules.map(({ cron, timezone }) => {
    const schedule = readCron(cron)
    const next_run_at = typeof schedule === 'string' ? null : nextTime(schedule, timezone, now)
    return { cron, timezone, next_run_at }
  })
  await store.replaceSchedules(tx, key, wanted)
}

function announce(tx: Transaction, { runtime }: Caller): void {
  afterCommit(tx, () => runtime.wakeups.announce(APPS_TOPIC))
}

interface Checked {
  definition: Definition
  /** What the live version may use already. */
  granted: Grants
  site: Awaited<ReturnType<typeof findSite>>
}

/** Returns the code of a definition. Throws the problem of one that cannot become live. */
async function check(
  caller: Caller,
  { definition, granted, site }: Checked,
): Promise<readonly Module[]> {
  requireValid(definition)
  requireGrants(caller, definition, granted)
  requireSize(caller, sizeOf(definition.modules))
  await requirePassedContent(caller, site, definition.modules)
  const code = await prepareModules(definition)
  if ('fault' in code) throw blocked(`${code.path}: ${code.fault}`)
  await trials.run(caller.project.id, () => tryStart([handlerCheck(definition), ...code.modules]))
  return code.modules
}

const trials = createSlots({
  name: 'the code of apps is tried',
  units: 2,
  units_each: 1,
  waiting_max: 100,
  waiting_each_max: 10,
  retry_after_s: 5,
})

async function tryStart(modules: readonly Module[]): Promise<void> {
  try {
    const process = await startApp({ modules, secrets: {} }, silentHost)
    process.kill()
    await process.ended
  } catch (error) {
    if (error instanceof AppStartFailed) throw blocked(error.message)
    throw error
  }
}

/** The main module of a trial, which throws if the code lacks the functions that the server calls. */
function handlerCheck({ main, schedules }: Definition): Module {
  const names = schedules.length > 0 ? ['scheduled'] : ['fetch', 'scheduled']
  const fault = `The default export of ${main} has no function ${names.join(' or ')}.`
  // An exception that is a text has no place, which would be that of this module.
  const text = `import * as main from ${JSON.stringify(`./${main}`)}
const given = main.default
const handlers = Object(typeof given === 'function' ? given.prototype : given)
// A class of an entry point may get its functions when it is made.
const is_entry = typeof given === 'function' && Object.getPrototypeOf(given) !== Function.prototype
if (!is_entry && !${JSON.stringify(names)}.some((name) => typeof handlers[name] === 'function'))
  throw ${JSON.stringify(fault)}`
  return { path: '.check.js', text }
}

/** The modules as workerd takes them: JavaScript, the main module first. */
function prepareModules({ modules, main }: Definition): ReturnType<typeof stripTypes> {
  const first = modules.filter(({ path }) => path === main)
  return stripTypes([...first, ...modules.filter(({ path }) => path !== main)])
}

function requireValid({ modules, main, schedules }: Definition): void {
  const paths = modules.map(({ path }) => path)
  const errors = modules.flatMap(({ path }, index) => {
    const at = `/modules/${index}/path`
    if (paths.indexOf(path) !== index) return [{ path: at, message: 'is the path of two modules' }]
    if (/\.(?:js|mjs|ts|json|txt|html|css|svg|sql|md)$/.test(path)) return []
    return [{ path: at, message: 'must end in .js, .ts, .json or the ending of a text' }]
  })
  if (!/\.(?:js|mjs|ts)$/.test(main) || !paths.includes(main))
    errors.push({
      path: '/main',
      message: 'must be the path of a module in JavaScript or TypeScript',
    })
  for (const [index, { cron, timezone }] of schedules.entries()) {
    const schedule = readCron(cron)
    if (typeof schedule === 'string')
      errors.push({
        path: `/schedules/${index}/cron`,
        message: `is not a schedule: ${schedule.replace(/\.$/, '')}`,
      })
    if (!isTimezone(timezone))
      errors.push({ path: `/schedules/${index}/timezone`, message: 'is not a time zone' })
  }
  const [first] = errors
  if (!first) return
  const detail = `The app is not valid: ${first.path} ${first.message}.`
  throw new Problem('validation_failed', detail, { errors })
}

type Grants = Pick<Settings, 'collections' | 'services'>
const none: Grants = { collections: [], services: [] }

/** A key cannot extend its own access by the collections and services of an app. */
function requireGrants(caller: Caller, wanted: Grants, granted: Grants): void {
  const { access, scopes } = caller
  const refused = (path: string, message: string) => {
    const detail = `The app may not get this from this key: ${path} ${message}.`
    throw new Problem('validation_failed', detail, { errors: [{ path, message }] })
  }
  for (const [index, name] of wanted.collections.entries()) {
    if (!access || access.collections.includes(name) || granted.collections.includes(name)) continue
    refused(`/collections/${index}`, 'is outside the limits of this key')
  }
  for (const [index, name] of wanted.services.entries()) {
    if (granted.services.includes(name)) continue
    const missing = grantedServices[name].find((scope) => !scopes.has(scope))
    if (access) refused(`/services/${index}`, 'is outside the limits of this key')
    if (missing) refused(`/services/${index}`, `needs a key with the scope ${missing}`)
  }
}

const silentHost: AppHost = {
  call: async () => null,
  refusal: () => null,
  egress: async () => ({ status: 503, headers: {}, body: new Uint8Array() }),
  stopped: () => {},
  closed: () => {},
  onError: () => {},
}

function blocked(reason: string): Problem {
  return new Problem('app_blocked', `The code does not start. ${reason}`, {
    user_message: 'The code of the app has an error and does not start, so nothing was published.',
    next_step: 'Correct the code as detail says and deploy it again.',
  })
}

function hasAnApp(): Problem {
  return new Problem('conflict', 'This site has an app already.', {
    user_message: 'This site has an app already.',
    next_step: 'Find the app with GET /apps, and change it with PUT /apps/{id}.',
  })
}

function notDeployed(): Problem {
  return new Problem('conflict', 'This app was imported and is not deployed yet.', {
    user_message: 'This app was imported and is not deployed yet.',
    next_step: 'Set its secrets with PUT /apps/{id}/secrets, then deploy it with PUT /apps/{id}.',
  })
}

function changedMeanwhile(): Problem {
  return new Problem('conflict', 'The app was changed by another request at the same time.')
}

function noEarlierVersion(): Problem {
  return new Problem('conflict', 'There is no earlier version of this app.', {
    user_message: 'This app has no earlier version to go back to.',
    next_step: 'List the kept versions with GET /apps/{id}/versions.',
  })
}
