/**
 * Runs programs as an unprivileged user. PostgreSQL refuses to run as root, so a Homeport that runs
 * as root starts it as `nobody`. If other users cannot traverse a folder above its files (such as
 * /root), it also keeps the capability to do so, by setpriv of util-linux, which every Debian has.
 */
import type { SpawnOptions } from 'node:child_process'
import { chownSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface RunAs {
  /** The command line that runs a program as the unprivileged user. */
  command(program: string, args: readonly string[]): string[]
  options: Pick<SpawnOptions, 'uid' | 'gid'>
  /** Recursively changes the owner of a file or folder to that user. */
  own(path: string): void
}

const SEARCH_BY_OTHERS = 0o001

/** Prepares running programs that need access to `paths`. */
export function prepareUnprivileged(paths: readonly string[]): RunAs {
  if (process.getuid?.() !== 0) {
    return { command: (program, args) => [program, ...args], options: {}, own: () => {} }
  }
  const { uid, gid } = nobody()
  const own = (path: string) => ownAll(path, uid, gid)
  if (paths.every(isReachable)) {
    return { command: (program, args) => [program, ...args], options: { uid, gid }, own }
  }
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path))
  if (!setpriv) {
    throw new Error(
      `PostgreSQL cannot run as root, and ${paths[0]} is closed to other users. Move the folder out of there, or install util-linux.`,
    )
  }
  const drop = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  // no_setuid_fixup keeps the capability effective for access(2), which PostgreSQL uses to find its
  // own files.
  const keep = [
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ]
  return {
    command: (program, args) => [setpriv, ...drop, ...keep, program, ...args],
    options: {},
    own,
  }
}

function nobody(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid || !gid)
    throw new Error('PostgreSQL cannot run as root, and this system has no user nobody.')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Whether other users can traverse every folder above a path. */
function isReachable(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!(statSync(folder).mode & SEARCH_BY_OTHERS)) return false
    if (folder === dirname(folder)) return true
  }
}

function ownAll(path: string, uid: number, gid: number): void {
  const facts = statSync(path)
  if (facts.uid === uid && facts.gid === gid) return
  if (facts.isDirectory())
    for (const entry of readdirSync(path)) ownAll(join(path, entry), uid, gid)
  chownSync(path, uid, gid)
}
