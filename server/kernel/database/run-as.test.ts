/** Running a program as somebody who is not root, also where only root may look. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { asUnprivileged } from './run-as.ts'

const isRoot = process.getuid?.() === 0
const skip = isRoot ? false : 'only root has to step down'
const folder = mkdtempSync(join(tmpdir(), 'homeport-run-as-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A program in a folder with this mode, and what running it as nobody prints. */
function runIn(name: string, mode: number): string {
  const place = join(folder, name)
  mkdirSync(place)
  const program = join(place, 'id')
  copyFileSync('/usr/bin/id', program)
  chmodSync(program, 0o755)
  chmodSync(place, mode)
  const runAs = asUnprivileged([program])
  // `test -x` asks access(2), as PostgreSQL does before it starts its own programs.
  const [command, ...args] = runAs.command('/bin/sh', [
    '-c',
    `test -x "${program}" && "${program}" -u`,
  ])
  return execFileSync(command!, args, { ...runAs.options, cwd: '/', encoding: 'utf8' }).trim()
}

test('as another user, where everybody may pass', { skip }, () => {
  chmodSync(folder, 0o755)
  assert.notEqual(runIn('open', 0o755), '0')
})

test('as another user, below a folder that is closed to all but root', { skip }, () => {
  chmodSync(folder, 0o700)
  assert.notEqual(runIn('closed', 0o700), '0')
})

test('gives what is to be written to that user', { skip }, () => {
  const place = join(folder, 'data')
  mkdirSync(place)
  writeFileSync(join(place, 'file'), '')
  asUnprivileged([place]).own(place)
  for (const path of [place, join(place, 'file')]) assert.notEqual(statSync(path).uid, 0)
})

test(
  'changes nothing for somebody who is not root',
  { skip: isRoot ? 'this is root' : false },
  () => {
    const runAs = asUnprivileged([folder])
    assert.deepEqual(runAs.command('/bin/true', ['x']), ['/bin/true', 'x'])
    assert.deepEqual(runAs.options, {})
  },
)
