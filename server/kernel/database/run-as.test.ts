/** Tests running programs as an unprivileged user. */
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
import { prepareUnprivileged } from './run-as.ts'

const isRoot = process.getuid?.() === 0
const skip = isRoot ? false : 'only root has to step down'
const folder = mkdtempSync(join(tmpdir(), 'homeport-run-as-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program in a folder with this mode as `nobody`; returns its output. */
function runIn(name: string, mode: number): string {
  const place = join(folder, name)
  mkdirSync(place)
  const program = join(place, 'id')
  copyFileSync('/usr/bin/id', program)
  chmodSync(program, 0o755)
  chmodSync(place, mode)
  const runAs = prepareUnprivileged([program])
  // `test -x` calls access(2), as PostgreSQL does before it starts its own programs.
  const [command, ...args] = runAs.command('/bin/sh', [
    '-c',
    `test -x "${program}" && "${program}" -u`,
  ])
  return execFileSync(command!, args, { ...runAs.options, cwd: '/', encoding: 'utf8' }).trim()
}

test('runAs runs a program as an unprivileged user in a folder open to all', { skip }, () => {
  chmodSync(folder, 0o755)
  assert.notEqual(runIn('open', 0o755), '0')
})

test(
  'runAs runs a program as an unprivileged user below a folder that only root can enter',
  { skip },
  () => {
    chmodSync(folder, 0o700)
    assert.notEqual(runIn('closed', 0o700), '0')
  },
)

test('runAs changes the owner of data folders to that user', { skip }, () => {
  const place = join(folder, 'data')
  mkdirSync(place)
  writeFileSync(join(place, 'file'), '')
  prepareUnprivileged([place]).own(place)
  for (const path of [place, join(place, 'file')]) assert.notEqual(statSync(path).uid, 0)
})

test('runAs changes nothing without root', { skip: isRoot ? 'this is root' : false }, () => {
  const runAs = prepareUnprivileged([folder])
  assert.deepEqual(runAs.command('/bin/true', ['x']), ['/bin/true', 'x'])
  assert.deepEqual(runAs.options, {})
})
