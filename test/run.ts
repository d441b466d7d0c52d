/**
 * `npm test`: starts one PostgreSQL for the whole run and passes every test file to Node's test
 * runner. Arguments select files or folders: `npm test -- server/areas/webhooks`.
 */
import { spawn } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { clusterEnvironment, startCluster } from './fixtures/cluster.ts'

const FOLDERS = ['server', 'test', 'evaluation', 'docs', 'sdk']

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
  return files.filter((file) => !file.startsWith(join('test', 'architecture')))
}

/**
 * Shares a compile cache, because each test file is a process that would compile the whole server
 * again.
 */
const compiled = join(import.meta.dirname, '../node_modules/.cache/compiled')

const files = testFiles(process.argv.slice(2))
const cluster = await startCluster()
// Tests spend much time waiting for PostgreSQL, a browser or a child process.
const concurrency = 2 * availableParallelism()
const runner = spawn(process.execPath, ['--test', `--test-concurrency=${concurrency}`, ...files], {
  stdio: 'inherit',
  env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...clusterEnvironment(cluster) },
})
runner.once('exit', async (code) => {
  await cluster.stop()
  process.exitCode = code ?? 1
})
