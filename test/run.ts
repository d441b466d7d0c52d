/**
 * `npm test`: starts one PostgreSQL for the whole run and passes the test files to Node's test
 * runner. Arguments select files or folders: `npm test -- server/areas/webhooks`.
 *
 * Each process runs several files one after another, because a process needs seconds of processor
 * time to load the server.
 */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { clusterEnvironment, startCluster } from './fixtures/cluster.ts'

const FOLDERS = ['server', 'test', 'evaluation', 'docs', 'sdk']
const FILES_PER_PROCESS = 8
/** What these files measure depends on what their process did before. */
const alone = new Set([join('test', 'first-uses.test.ts')])

function testFiles(asked: readonly string[]): string[] {
  const places = asked.length > 0 ? asked : FOLDERS
  return places.flatMap((place) => {
    const found = filesAt(place)
    // Without a file argument, Node's test runner would search for tests and run them all.
    if (found.length === 0) throw new Error(`There is no test at ${place}.`)
    return found
  })
}

function filesAt(place: string): string[] {
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return globSync(place)
  const files = globSync(join(place, '**/*.test.ts'))
  return files.filter((file) => !file.startsWith(join('test', 'architecture'))).sort()
}

function groupFiles(files: readonly string[]): string[][] {
  const groups = files.filter((file) => alone.has(file)).map((file) => [file])
  const others = files.filter((file) => !alone.has(file))
  for (let at = 0; at < others.length; at += FILES_PER_PROCESS) {
    groups.push(others.slice(at, at + FILES_PER_PROCESS))
  }
  return groups
}

const runFiles = pathToFileURL(join(import.meta.dirname, 'fixtures/processes/run-files.ts')).href

/** Writes a test file that runs others. A single file runs itself, so that titles can be selected. */
function writeGroup(folder: string, files: readonly string[], index: number): string {
  if (files.length === 1) return files[0]!
  const path = join(folder, `${String(index).padStart(3, '0')}.test.mjs`)
  const lines = [
    `import { runFiles } from ${JSON.stringify(runFiles)}`,
    `runFiles(${JSON.stringify(files.map((file) => resolve(file)))})`,
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/**
 * Shares a compile cache, because each process would compile the whole server again.
 */
const compiled = join(import.meta.dirname, '../node_modules/.cache/compiled')

const files = testFiles(process.argv.slice(2))
const folder = mkdtempSync(join(tmpdir(), 'homeport-test-groups-'))
const entries = groupFiles(files).map((group, index) => writeGroup(folder, group, index))
const cluster = await startCluster()
// Tests spend much time waiting for PostgreSQL, a browser or a child process.
const concurrency = 2 * availableParallelism()
const runner = spawn(
  process.execPath,
  ['--test', `--test-concurrency=${concurrency}`, ...entries],
  {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...clusterEnvironment(cluster) },
  },
)
runner.once('exit', async (code) => {
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = code ?? 1
})
