/**
 * `npm run check`: format, lint, types, unused code, generated files and architecture tests,
 * fastest first. All checks run, so that one run shows every failure.
 */
import { spawnSync } from 'node:child_process'

const checks: [name: string, command: string, ...args: string[]][] = [
  ['form', 'oxfmt', '--check', '.'],
  ['lint', 'oxlint', '--deny-warnings', '.'],
  ['types', 'tsc', '--noEmit', '-p', '.'],
  ['portal API', 'node', 'portal/write-types.ts'],
  ['portal types', 'tsc', '-p', 'portal'],
  ['unused', 'knip'],
  ['areas', 'node', 'tools/write-areas.ts', '--check'],
  ['tables', 'node', 'tools/write-tables.ts', '--check'],
  ['settings', 'node', 'tools/write-settings.ts', '--check'],
  ['widget', 'node', 'tools/write-widget.ts', '--check'],
  [
    'architecture',
    'node',
    '--test',
    '--test-isolation=none',
    '--test-reporter=dot',
    'test/architecture/**/*.test.ts',
  ],
]

const failed = checks.filter(([name, command, ...args]) => {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (status !== 0) console.log(stdout + stderr)
  return status !== 0
})
process.exitCode = failed.length > 0 ? 1 : 0
