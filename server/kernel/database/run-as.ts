/**
 * PostgreSQL refuses to run as root. When Homeport itself runs as root, its PostgreSQL runs as
 * `nobody`. If a folder on the way to its files is closed to everybody but root (a checkout in
 * /root is), it also keeps the one capability of passing closed folders, given by setpriv of
 * util-linux, which every Debian has.
 */
import type { SpawnOptions } from 'node:child_process'
import { chownSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface RunAs {
  /** The command line that runs a program as the unprivileged user. */
  command(program: string, args: readonly string[]): string[]
  options: Pick<SpawnOptions, 'uid' | 'gid'>
  /** Gives a file or folder, and what is in it, to that user. */
  own(path: string): void
}

const SEARCH_BY_OTHERS = 0o001

/** How to run programs that must not be root and need to reach `paths`. */
export function asUnprivileged(paths: readonly string[]): RunAs {
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
  // Without the last one the kernel forgets the capability where a program asks access(2), as
  // PostgreSQL does to find its own files.
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

/** Whether every folder above a path lets other users pass. */
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
