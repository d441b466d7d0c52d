/**
 * Builds the portal once for each state of its sources, into the data folder. The first start runs
 * the build in a separate process, so that the product needs no build step and the server answers
 * at once.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../kernel/config/config-types.ts'
import type { Runtime } from '../../kernel/runtime.ts'

const root = join(import.meta.dirname, '../../..')
/** The files that determine the result of the build, in a fixed order. */
const SOURCES = ['portal/{index.html,*.ts,package.json}', 'portal/{src,public}/**/*.*']
const BUILD_MS_MAX = 300_000
/** Added to the niceness of the process, because the server answers requests during the build. */
const NICENESS = 10
const ERROR_CHARACTERS_MAX = 4_000

let known_hash: string | null = null

/** Returns a hash of the sources and of the versions of their imports. */
function sourcesHash(): string {
  if (known_hash !== null) return known_hash
  const hash = createHash('sha256')
  for (const path of [...globSync(SOURCES, { cwd: root }), 'package-lock.json'].toSorted()) {
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  }
  known_hash = hash.digest('hex').slice(0, 16)
  return known_hash
}

/** Returns the folder of the built portal; it exists only when it is complete. */
export function findBuiltFolder({
  data_dir,
  portal_dir,
}: Pick<Config, 'data_dir' | 'portal_dir'>): string {
  return portal_dir === '' ? join(data_dir, 'portal', sourcesHash()) : portal_dir
}

/** The file that keeps the error of a failed build. The next start deletes it. */
function failurePath({ data_dir }: Pick<Config, 'data_dir'>): string {
  return join(data_dir, 'portal', `.failed-${sourcesHash()}`)
}

/** Returns the error of the last build; null if it succeeded or is running. */
export async function readBuildFailure(config: Pick<Config, 'data_dir'>): Promise<string | null> {
  return readFile(failurePath(config), 'utf8').catch(() => null)
}

export interface PortalBuild {
  /** Resolves when the build has ended, successfully or not. */
  done: Promise<void>
  stop(): void
}

/** Starts the build if it is needed. A failure is logged, and the next start tries again. */
export function startPortalBuild({ config, log }: Pick<Runtime, 'config' | 'log'>): PortalBuild {
  const target = findBuiltFolder(config)
  if (config.portal_dir !== '' || existsSync(target))
    return { done: Promise.resolve(), stop: () => {} }
  const aborted = new AbortController()
  const started_ms = performance.now()
  const build = async () => {
    const temporary = join(config.data_dir, 'portal', `.building-${randomUUID()}`)
    try {
      await mkdir(temporary, { recursive: true })
      await rm(failurePath(config), { force: true })
      await runBuild(temporary, aborted.signal)
      await putInPlace(temporary, target)
      await removeOthers(config, target)
      log.info({ took_ms: Math.round(performance.now() - started_ms) }, 'the portal is built')
    } catch (error) {
      if (!aborted.signal.aborted) await reportFailure({ config, log }, error)
    } finally {
      await rm(temporary, { recursive: true, force: true })
    }
  }
  return { done: build(), stop: () => aborted.abort() }
}

/** Logs the error and keeps it for the pages. A full disk can prevent the latter. */
async function reportFailure(
  { config, log }: Pick<Runtime, 'config' | 'log'>,
  error: unknown,
): Promise<void> {
  log.error({ err: error }, 'the portal could not be built')
  const text = error instanceof Error ? error.message : String(error)
  await writeFile(failurePath(config), text).catch((err: unknown) => {
    log.error({ err }, 'the error of the build could not be stored')
  })
}

/**
 * Moves the build to its place. Another process on the same folder may have been faster; its result
 * is the same.
 */
async function putInPlace(temporary: string, target: string): Promise<void> {
  try {
    await rename(temporary, target)
  } catch (error) {
    if (!existsSync(target)) throw error
  }
}

/** Deletes the builds of earlier versions, except those that other processes are building. */
async function removeOthers({ data_dir }: Config, target: string): Promise<void> {
  const folder = join(data_dir, 'portal')
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (path !== target && !name.startsWith('.')) await rm(path, { recursive: true, force: true })
  }
}

function runBuild(folder: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'portal/build.ts'), folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    timeout: BUILD_MS_MAX,
  })
  lowerPriority(child)
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-ERROR_CHARACTERS_MAX)
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => {
      if (code === 0) done()
      else fail(new Error(`The build of the portal ended with ${code}: ${said}`))
    })
  })
}

/** Some systems refuse a lower priority; the build then competes with requests. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS)
  } catch {
    // The build runs at the priority of the server.
  }
}
