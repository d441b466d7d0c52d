/** Tests of the folder lock between containers. Tests pass the namespace names. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { lockFolder } from './folder-lock.ts'
import { takeLockFile, type LockFile } from './lock-file.ts'

const never = () => assert.fail('the lock was lost')

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-lock-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes the file that a killed process of a namespace leaves. */
function leaveBehind(folder: string, namespace: string): void {
  const holder = { token: 'of-the-dead', pid: 4242, namespace }
  writeFileSync(join(folder, 'homeport.lock'), `${JSON.stringify(holder)}\n`)
}

function held(lock: LockFile | { held_by: number }): LockFile {
  assert('release' in lock, 'the lock is held by another')
  return lock
}

describe('the lock file', { concurrency: true, timeout: 60_000 }, () => {
  it('keeps a second container out while the first one is alive', async (t) => {
    const folder = newFolder(t)
    const first = held(await takeLockFile(folder, { namespace: 'one', lost: never }))
    const second = await takeLockFile(folder, { namespace: 'two', lost: never })
    assert.deepEqual(second, { held_by: process.pid })
    await first.release()
    assert.equal(existsSync(join(folder, 'homeport.lock')), false)
    await held(await takeLockFile(folder, { namespace: 'two', lost: never })).release()
  })

  it('is taken over from a killed container', async (t) => {
    const folder = newFolder(t)
    leaveBehind(folder, 'one')
    await held(await takeLockFile(folder, { namespace: 'two', lost: never })).release()
  })

  it('is taken over by one of two concurrent starts', async (t) => {
    const folder = newFolder(t)
    leaveBehind(folder, 'one')
    const take = (namespace: string) => takeLockFile(folder, { namespace, lost: never })
    const locks = await Promise.all([take('two'), take('three')])
    const winners = locks.filter((lock) => 'release' in lock)
    assert.equal(winners.length, 1)
    await winners[0]?.release()
  })

  it('notifies a holder that it was taken over', async (t) => {
    const folder = newFolder(t)
    const lost = Promise.withResolvers<void>()
    held(await takeLockFile(folder, { namespace: 'one', lost: lost.resolve }))
    leaveBehind(folder, 'two')
    await lost.promise
  })

  it('is part of the lock of a folder', async (t) => {
    const folder = newFolder(t)
    const other = held(await takeLockFile(folder, { namespace: 'another container', lost: never }))
    assert.deepEqual(await lockFolder(folder), { held_by: process.pid })
    await other.release()
    const lock = await lockFolder(folder)
    assert('release' in lock)
    assert(existsSync(join(folder, 'homeport.lock')))
    await lock.release()
  })
})
