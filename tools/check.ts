/**
 * `npm run check`: format, lint, types, unused code, generated files and architecture tests. Two run at
 * once, longest first. All checks run, so that one run shows every failure.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

type Check = [name: string, command: string, ...args: string[]]

const checks: Check[] = [
  ['types', 'tsc', '--noEmit', '-p', '.'],
  [
    'architecture',
    'node',
    '--test',
    '--test-isolation=none',
    '--test-reporter=dot',
    'test/architecture/**/*.test.ts',
  ],
  ['portal', 'sh', '-c', 'node portal/write-types.ts && tsc -p portal'],
  ['unused', 'knip'],
  ['tables', 'node', 'tools/write-tables.ts', '--check'],
  ['lint', 'oxlint', '--deny-warnings', '.'],
  ['form', 'oxfmt', '--check', '.'],
  ['settings', 'node', 'tools/write-settings.ts', '--check'],
  ['widget', 'node', 'tools/write-widget.ts', '--check'],
]

/** Shared with `npm test`: most checks load the whole server, which takes seconds to compile. */
const compiled = join(import.meta.dirname, '../node_modules/.cache/compiled')

async function run([name, command, ...args]: Check): Promise<void> {
  const started = performance.now()
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NODE_COMPILE_CACHE: compiled, ...process.env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => (output += String(part)))
  const code = await new Promise((done) => child.once('close', done))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (code === 0) return
  console.log(output)
  process.exitCode = 1
}

async function lane(): Promise<void> {
  for (let next = checks.shift(); next; next = checks.shift()) await run(next)
}

await Promise.all(Array.from({ length: availableParallelism() }, lane))
