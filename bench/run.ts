/**
 * `npm run bench -- <area> [--rounds 5] [--seconds 2]`: measures one area, or all, each in its own
 * process, so that a failing area is reported and the others continue. `report` writes
 * docs/performance.md from stored results; `install` installs the peers.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { areas, type Area } from './areas.ts'

const folder = import.meta.dirname
const [, , asked = '', ...rest] = process.argv
const installed = existsSync(join(folder, 'node_modules'))

const usage = `npm run bench -- <area> [--rounds 5] [--seconds 2] [--only part]
${areas.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}
  ${'all'.padEnd(12)} Every area but soak, then the report.
  ${'report'.padEnd(12)} docs/performance.md from bench/results.
  ${'install'.padEnd(12)} npm ci of the bench and of each peer.`

function run(command: string, args: readonly string[], cwd = process.cwd()): boolean {
  return spawnSync(command, args, { stdio: 'inherit', cwd }).status === 0
}

function runArea({ name, load }: Area): boolean {
  const begun = performance.now()
  console.error(`\n${name} …`)
  const fine = run(process.execPath, [join(folder, load ? 'load' : 'areas', `${name}.ts`), ...rest])
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  console.error(`${name} ${fine ? 'took' : 'FAILED after'} ${minutes} minutes.`)
  return fine
}

const report = () => run(process.execPath, [join(folder, 'report', 'write.ts')])

function install(): boolean {
  const peers = readdirSync(join(folder, 'peers')).map((name) => join(folder, 'peers', name))
  const quiet = ['--no-audit', '--no-fund']
  // The measured functions of the peers need no install scripts.
  const results = [run('npm', ['ci', ...quiet], folder)]
  for (const peer of peers) results.push(run('npm', ['ci', '--ignore-scripts', ...quiet], peer))
  return results.every(Boolean)
}

function measureAll(): boolean {
  const failed = areas.filter((area) => !area.alone && !runArea(area))
  const written = report()
  for (const { name } of failed) console.error(`${name} FAILED; its earlier result stays.`)
  return failed.length === 0 && written
}

function main(): boolean {
  if (asked === 'install') return install()
  if (asked === 'report') return report()
  const area = areas.find(({ name }) => name === asked)
  if (asked !== 'all' && !area) {
    console.error(usage)
    return false
  }
  if (!installed) {
    console.error('The bench is not installed: run npm run bench -- install.')
    return false
  }
  return area ? runArea(area) : measureAll()
}

process.exitCode = main() ? 0 : 1
