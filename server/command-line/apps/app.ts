/**
 * `app deploy`, `app dev`, `app migrate` and `app logs`: the app of a site from a folder, by the code of
 * the API with all its checks.
 */
import { watch } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as apps from '../../areas/apps/service.ts'
import * as sites from '../../areas/sites/service.ts'
import type { Caller } from '../../contract/caller.ts'
import { limits } from '../../contract/limits.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import { connectNotifications } from '../../kernel/jobs/notifications.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { command, type CommandContext, type CommandOutput } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { requireServer, withRuntime } from '../database-access.ts'
import { file, flag, id, line, optional, required } from '../option-parsers.ts'
import { formatFields } from '../output.ts'
import { recordCommand } from '../record-command.ts'
import { deploy as deploySite } from '../sites/deploy.ts'
import { callerFor } from '../sites/site-caller.ts'
import { toCommandError } from '../sites/site-errors.ts'
import { readAppFolder, type AppFolder } from './app-folder.ts'

const GATHER_MS = 100
const LINES_SHOWN = 100
/** Before the first line of any log. */
const NO_LINE = '00000000-0000-0000-0000-000000000000'

const dir = required({ ...file, value: 'DIR' }, 'The folder with main.ts, migrations and app.json.')
const slug = required(line(100), 'The first part of the address of the site.')
const pages = optional({ ...file, value: 'DIR' }, 'A folder to publish as the site before.')
const project = optional(id, 'The project; optional if there is only one.')

interface Wanted {
  dir: string
  slug: string
  pages: string | undefined
  project: string | undefined
}

export const deployApp = command<Wanted>({
  name: 'app deploy',
  about: 'Runs the migrations of a folder and deploys it as the app of a site.',
  bare: 'dir',
  options: { dir, slug, pages, project },
  async run(wanted, context) {
    await publishPages(wanted, context)
    return withCaller('app deploy', wanted, context, (caller) => deployFolder(caller, wanted))
  },
})

export const migrateApp = command<Omit<Wanted, 'pages'>>({
  name: 'app migrate',
  about: 'Runs those migrations of a folder that the app of a site has not run yet.',
  bare: 'dir',
  options: { dir, slug, project },
  run: (wanted, context) =>
    withCaller('app migrate', wanted, context, async (caller) => {
      const { migrations } = readAppFolder(wanted.dir, undefined)
      const { app } = await findPlace(caller, wanted.slug)
      if (!app) throw new CommandError(`The site ${wanted.slug} has no app yet: deploy it first.`)
      const applied = await migrate(caller, app.id, migrations)
      return { json: { applied }, text: `Applied: ${applied.join(', ') || 'none'}` }
    }),
})

export const dev = command<Wanted>({
  name: 'app dev',
  about: 'Deploys a folder at each change, in test mode, and shows the log, until Ctrl-C.',
  bare: 'dir',
  options: { dir, slug, pages, project },
  async run(wanted, context) {
    readAppFolder(wanted.dir, wanted.pages)
    await requireServer(context.settings())
    const until = context.goOnUntilStopped()
    const changes = watchFolders(wanted, until)
    await publishPages(wanted, context)
    return withServer(context.settings(), async (runtime) => {
      const caller: Caller = {
        ...(await callerFor(runtime, 'app dev', wanted.project)),
        mode: 'test',
      }
      const after = newId(runtime.clock)
      const failed = Promise.withResolvers<never>()
      let following: Promise<void> | null = null
      let changed: Changed = { pages: false, code: true }
      while (!until.aborted) {
        if (changed.pages) await publishPages(wanted, context).catch(tellFault(context))
        const app = changed.code ? await deployAgain(caller, wanted, context) : null
        if (app !== null && following === null) {
          following = follow(caller, { id: app, errors: false, until, after }, context)
          following.catch(failed.reject)
        }
        changed = await Promise.race([changes.next(), failed.promise])
      }
      await following
      return { json: { ended: true }, text: 'Ended.' }
    })
  },
})

export const logs = command<{
  slug: string
  project: string | undefined
  errors: boolean
  once: boolean
}>({
  name: 'app logs',
  about: 'Shows the log of the app of a site, and new lines until Ctrl-C.',
  options: {
    slug,
    project,
    errors: flag('Only errors and exceptions.'),
    once: flag('Ends after the lines of now.'),
  },
  async run({ slug, project, errors, once }, context) {
    if (!once) await requireServer(context.settings())
    const until = once ? AbortSignal.abort() : context.goOnUntilStopped()
    return withServer(context.settings(), async (runtime) => {
      const caller = await callerFor(runtime, 'app logs', project)
      const { app } = await findPlace(caller, slug)
      if (!app) throw new CommandError(`The site ${slug} has no app.`)
      const level = errors ? 'error' : 'all'
      const { data } = await apps.listLogs(caller, app.id, { limit: LINES_SHOWN, level })
      for (const one of data.toReversed()) context.tell(shown(one))
      await follow(caller, { id: app.id, errors, until, after: data[0]?.id ?? NO_LINE }, context)
      return { json: { ended: true }, text: 'Ended.' }
    })
  },
})

/** A runtime that exchanges wake-ups with the server, so that new lines arrive as they are written. */
function withServer<T>(config: Config, work: (runtime: Runtime) => Promise<T>): Promise<T> {
  return withRuntime(config, async (runtime) => {
    const notifications = connectNotifications(runtime, runtime.connection)
    try {
      await notifications.connected()
      return await work(runtime)
    } finally {
      await notifications.stop()
    }
  })
}

interface Changed {
  pages: boolean
  /** Whether anything of the app changed: a module, a migration or app.json. */
  code: boolean
}

interface Changes {
  /** Resolves after the next change, or when watching ends. */
  next(): Promise<Changed>
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** Changes of the folder of an app, and of its pages. None is lost between two calls of `next`. */
function watchFolders({ dir, pages }: Wanted, until: AbortSignal): Changes {
  let noted = Promise.withResolvers<void>()
  let changed: Changed = { pages: false, code: false }
  const app = resolve(dir)
  const site = pages === undefined ? null : resolve(pages)
  const note = (folder: string) => (_: string, name: string | null) => {
    const path = resolve(folder, name ?? '')
    const is_page = site !== null && isWithin(path, site)
    // Pages in the folder of the app are no modules, unless they are the whole folder or more.
    const is_code = isWithin(path, app) && !(is_page && site.startsWith(`${app}/`))
    changed = { pages: changed.pages || is_page, code: changed.code || is_code }
    noted.resolve()
  }
  for (const folder of site === null ? [dir] : [dir, site])
    watch(folder, { recursive: true, signal: until }, note(folder))
  until.addEventListener('abort', () => noted.resolve())
  return {
    async next() {
      if (until.aborted) return changed
      await noted.promise
      // An editor writes a file in several steps.
      await delay(GATHER_MS)
      const result = changed
      noted = Promise.withResolvers()
      changed = { pages: false, code: false }
      return result
    },
  }
}

function publishPages({ pages, slug, project }: Wanted, context: CommandContext): Promise<unknown> {
  if (pages === undefined) return Promise.resolve()
  const given = new Map([
    ['dir', pages],
    ['slug', slug],
    ...(project === undefined ? [] : ([['project', project]] as const)),
  ])
  return deploySite.prepare(given)(context)
}

// oxlint-disable-next-line max-params -- the work comes last
function withCaller(
  name: string,
  { project }: { project: string | undefined },
  context: CommandContext,
  work: (caller: Caller) => Promise<CommandOutput>,
): Promise<CommandOutput> {
  return withRuntime(context.settings(), async (runtime) => {
    const caller = await callerFor(runtime, name, project)
    const given = { name, values: { project: caller.project.id } }
    return recordCommand(runtime, given, () => toCommandError({}, () => work(caller)))
  })
}

async function findPlace(caller: Caller, slug: string) {
  const limit = { limit: limits.page_limit_max }
  const site = (await sites.list(caller, limit)).data.find((one) => one.slug === slug)
  if (!site) throw new CommandError(`There is no site ${slug}: publish one with --pages DIR.`)
  const app = (await apps.list(caller, limit)).data.find(({ site_id }) => site_id === site.id)
  return { site, app }
}

async function deployFolder(caller: Caller, wanted: Wanted): Promise<CommandOutput> {
  const folder = readAppFolder(wanted.dir, wanted.pages)
  const { site, app } = await findPlace(caller, wanted.slug)
  const { deployed, applied } = await put(caller, { folder, site_id: site.id, id: app?.id })
  const { id, url, version } = deployed
  const text = formatFields({
    address: site.url,
    version,
    migrations: applied.join(', ') || 'none',
  })
  return { json: { id, url, version, applied }, text }
}

interface Put {
  folder: AppFolder
  site_id: string
  /** The app of the site, if it has one. */
  id: string | undefined
}

/** The tables of new code exist before it runs, except for the first version. */
async function put(caller: Caller, { folder, site_id, id }: Put) {
  const { settings, modules, migrations } = folder
  const input = apps.readDeploy({ ...settings, modules })
  if (id !== undefined) {
    const applied = await migrate(caller, id, migrations)
    return { deployed: await apps.deploy(caller, id, input), applied }
  }
  const deployed = await apps.create(caller, { name: 'App', ...input, modules, site_id })
  return { deployed, applied: await migrate(caller, deployed.id, migrations) }
}

async function migrate(
  caller: Caller,
  id: string,
  migrations: AppFolder['migrations'],
): Promise<string[]> {
  if (migrations.length === 0) return []
  return (await apps.migrate(caller, id, { migrations })).applied
}

/** Returns the id of the app; null if the deploy was refused, which it shows. */
async function deployAgain(
  caller: Caller,
  wanted: Wanted,
  context: CommandContext,
): Promise<string | null> {
  try {
    const output = await toCommandError({}, () => deployFolder(caller, wanted))
    context.tell(output)
    return Object(output.json).id
  } catch (error) {
    tellFault(context)(error)
    return null
  }
}

/** Shows why a change was refused; throws other errors. */
function tellFault(context: CommandContext): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof CommandError)) throw error
    context.tell({ json: { error: error.message }, text: error.message })
  }
}

interface Followed {
  id: string
  errors: boolean
  until: AbortSignal
  /** The last line that was shown. */
  after: string
}

async function follow(
  caller: Caller,
  { id, errors, until, after }: Followed,
  context: CommandContext,
): Promise<void> {
  const level = errors ? 'error' : 'all'
  const from = { signal: until, last_event_id: after, recheck: async () => caller }
  for await (const { event, data } of await apps.followLogs(caller, { id, level, ...from }))
    if (event === 'line') context.tell(shown(Object(data)))
}

function shown(line: { at: string; level: string; place: string | null; text: string }) {
  const { at, level, place, text } = line
  return { json: line, text: [at.slice(11, 19), level, place ?? '', text].join('  ') }
}
