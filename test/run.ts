/**
 * `npm test`: starts one PostgreSQL for the whole run and runs every test file, longest first, in
 * processes that take several files one after another. Arguments select files or folders:
 * `npm test -- server/areas/webhooks`.
 *
 * `npm run test:long` runs the files named `*.long.test.ts`, and those that try more of the same then
 * (`fixtures/depth.ts`).
 *
 * A file that fails runs once more when the others have ended, alone. If it passes then, it counts
 * as passed and is printed as flaky; if it fails again, the run fails.
 */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isLong } from './fixtures/depth.ts'
import { clusterEnvironment, makeDataFolder, startCluster } from './fixtures/cluster.ts'
import type { FileResult } from './fixtures/processes/report-files.ts'

const root = resolve(import.meta.dirname, '..')
const FOLDERS = ['server', 'test', 'evaluation', 'docs', 'sdk']
/** A process needs seconds of processor time to load the server, so several files share one. */
const FILES_PER_PROCESS = 60
const SLOWEST_SHOWN = 15
/** A process that goes on for longer after its last test has left something open. */
const LATE_S = 3
const LONG = '.long.test.ts'
const SCRATCH_BYTES_MIN = 8 * 2 ** 30

/** Seconds that files took, for their order. HOMEPORT_WRITE_TIMES=1 writes it after a whole run. */
const timesFile = join(import.meta.dirname, 'file-seconds.json')
const times: Record<string, number> = JSON.parse(readFileSync(timesFile, 'utf8'))
const secondsOf = (file: string): number => times[file] ?? 1

function testFiles(asked: readonly string[]): string[] {
  const places = asked.length > 0 ? asked : FOLDERS
  return places.flatMap((place) => {
    const found = filesAt(place)
    if (found.length === 0) throw new Error(`There is no test at ${place}.`)
    return found
  })
}

function filesAt(place: string): string[] {
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return globSync(place)
  const files = globSync(join(place, '**/*.test.ts'))
  return files
    .filter((file) => !file.startsWith(join('test', 'architecture')))
    .filter((file) => (isLong ? isDeep(file) : !file.endsWith(LONG)))
    .sort()
}

/** Whether a file belongs to `npm run test:long`, as a whole or by the number of its tries. */
function isDeep(file: string): boolean {
  return file.endsWith(LONG) || readFileSync(file, 'utf8').includes('fixtures/depth.ts')
}

const processes = join(import.meta.dirname, 'fixtures/processes')
const runFiles = join(processes, 'run-files.ts')
const reporter = pathToFileURL(join(processes, 'report-files.ts')).href
/** Shares a compile cache, because each process would compile the whole server again. */
const compiled = join(root, 'node_modules/.cache/compiled')

/**
 * The temporary folder of the run. In memory if there is plenty: each file copies a database of a
 * thousand files, which takes a disk three times as long.
 */
function makeScratch(): string {
  const memory = '/dev/shm'
  const found = statSync(memory, { throwIfNoEntry: false })
  const { bavail, bsize } = found ? statfsSync(memory) : { bavail: 0, bsize: 0 }
  const has_room = Math.min(bavail * bsize, freemem()) > SCRATCH_BYTES_MIN
  const made = mkdtempSync(join(has_room ? memory : tmpdir(), 'homeport-tests-'))
  // PostgreSQL runs as another user than root.
  chmodSync(made, 0o755)
  return made
}

const scratch = makeScratch()
process.env['TMPDIR'] = scratch
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Runs files of the queue in one process, one after another, and calls `ended` with each result. */
async function runProcess(queue: string[], ended: (result: FileResult) => void): Promise<void> {
  const args = [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout', runFiles]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...environment },
  })
  let running: string | undefined
  let count = 0
  let idle_ms = performance.now()
  const next = (): void => {
    idle_ms = performance.now()
    running = count < FILES_PER_PROCESS ? queue.shift() : undefined
    count += 1
    if (running === undefined) child.disconnect()
    // Without its callback, a message to a process that has died would throw.
    else child.send(running, () => {})
  }
  child.on('message', (result: FileResult) => {
    ended(result)
    next()
  })
  next()
  const code = await new Promise<number | string | null>((done) =>
    child.once('exit', (status, signal) => done(status ?? signal)),
  )
  if (running !== undefined) {
    const failure = { name: 'its process', message: `ended with ${code} before this file did` }
    ended({ file: running, seconds: 0, passed: 0, skipped: 0, failures: [failure] })
  }
  const late_s = (performance.now() - idle_ms) / 1000
  if (late_s > LATE_S) console.log(`a process ended ${late_s.toFixed(1)} s after its last file`)
}

function printResult({ file, seconds, passed, failures }: FileResult): void {
  console.log(
    `${failures.length === 0 ? '✔' : '✖'} ${file} (${passed} passed, ${seconds.toFixed(1)} s)`,
  )
  for (const { name, message } of failures) console.log(`  ✖ ${name}\n${indent(message)}`)
}

const indent = (text: string): string => text.replaceAll(/^/gm, '    ')

/** Makes what tests in a browser need, because the lanes would make it at the same time. */
async function prepareBrowser(): Promise<void> {
  const { buildPortal } = await import('./fixtures/portal/built-portal.ts')
  const { unpackChromium } = await import('./fixtures/portal/browser.ts')
  await Promise.all([buildPortal(), unpackChromium()])
}

const began = performance.now()
const made = await makeDataFolder()
const cluster = await startCluster(made)
const environment = clusterEnvironment(cluster, made)
const results = new Map<string, FileResult>()
const asked = process.argv.slice(2)
const files = testFiles(asked).map((file) => relative(root, resolve(file)))
const queue = [...new Set(files)].sort((one, other) => secondsOf(other) - secondsOf(one))
if (files.some((file) => readFileSync(file, 'utf8').includes('browser.ts'))) await prepareBrowser()
const keep = (result: FileResult): void => {
  results.set(result.file, result)
  printResult(result)
}
const lane = async (): Promise<void> => {
  while (queue.length > 0) await runProcess(queue, keep)
}
// Tests spend much time waiting for PostgreSQL, a browser or a child process.
await Promise.all(Array.from({ length: 2 * availableParallelism() }, lane))

const flaky: FileResult[] = []
for (const first of [...results.values()].filter(({ failures }) => failures.length > 0)) {
  console.log(`once more, alone: ${first.file}`)
  await runProcess([first.file], keep)
  if (results.get(first.file)?.failures.length === 0) flaky.push(first)
}
await cluster.stop()

const all = [...results.values()]
const count = (of: (result: FileResult) => number): number =>
  all.reduce((sum, result) => sum + of(result), 0)
const slowest = all.toSorted((one, other) => other.seconds - one.seconds)
console.log(`\nThe ${SLOWEST_SHOWN} slowest files:`)
for (const { file, seconds } of slowest.slice(0, SLOWEST_SHOWN))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
for (const { file, failures } of flaky)
  console.log(`flaky: ${file}: ${failures[0]?.name}: ${failures[0]?.message.split('\n')[0]}`)
const failed = count(({ failures }) => failures.length)
for (const { file } of all.filter(({ failures }) => failures.length > 0))
  console.log(`failed twice: ${file}`)
if (process.env['HOMEPORT_WRITE_TIMES']) {
  const rows = slowest.filter(({ seconds }) => seconds >= 2)
  const rounded = rows.map(({ file, seconds }) => [file, Math.round(seconds)])
  writeFileSync(timesFile, `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`)
}
const passed = count((result) => result.passed)
const skipped = count((result) => result.skipped)
const closing = {
  tests: passed + failed + skipped,
  suites: all.length,
  pass: passed,
  fail: failed,
  cancelled: 0,
  skipped,
  todo: 0,
  duration_ms: performance.now() - began,
}
for (const [name, value] of Object.entries(closing)) console.log(`ℹ ${name} ${value}`)
process.exitCode = failed > 0 ? 1 : 0
