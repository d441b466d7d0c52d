/**
 * exim4, opendkim and dkimpy of Debian, unpacked into a folder of their own: nothing is installed, and no
 * service is started.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const packages = ['exim4-daemon-light', 'opendkim', 'python3-dkim', 'libnss-wrapper']
/** The user of exim4, which its package would create. */
const user = 'Debian-exim'
const USER_ID = 65_533
const DEADLINE_MS = 180_000

export interface Programs {
  exim: string
  opendkim: string
  environment: Record<string, string>
}

/** Returns the reason if they cannot be unpacked here. */
export function unpackPrograms(folder: string): Programs | string {
  if (process.getuid?.() !== 0) return 'it needs root, as which exim4 changes to another user'
  const archives = join(folder, 'archives')
  mkdirSync(join(archives, 'partial'), { recursive: true })
  const options = [`Dir::Cache::archives=${archives}`, 'Debug::NoLocking=1']
  const failure =
    run('apt-get', ['update']) ??
    run('apt-get', [
      ...options.flatMap((one) => ['-o', one]),
      'install',
      '--download-only',
      '--yes',
      '--no-install-recommends',
      '--reinstall',
      ...packages,
    ])
  if (failure !== null) return failure
  const root = join(folder, 'root')
  for (const name of readdirSync(archives).filter((one) => one.endsWith('.deb'))) {
    const broken = run('dpkg', ['-x', join(archives, name), root])
    if (broken !== null) return broken
  }
  const libraries = ['usr/lib', 'usr/lib/x86_64-linux-gnu', 'usr/lib/aarch64-linux-gnu']
  const passwd = join(folder, 'passwd')
  const group = join(folder, 'group')
  writeFileSync(
    passwd,
    `${readFileSync('/etc/passwd', 'utf8')}${user}:x:${USER_ID}:${USER_ID}::/tmp:/bin/false\n`,
  )
  writeFileSync(group, `${readFileSync('/etc/group', 'utf8')}${user}:x:${USER_ID}:\n`)
  const environment = {
    PATH: process.env['PATH'] ?? '',
    // Adds the user for these programs only.
    LD_PRELOAD: 'libnss_wrapper.so',
    NSS_WRAPPER_PASSWD: passwd,
    NSS_WRAPPER_GROUP: group,
    LD_LIBRARY_PATH: libraries.map((one) => join(root, one)).join(':'),
    PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
  }
  const exim = join(root, 'usr/sbin/exim4')
  // With its setuid bit it would ignore the folder of its libraries.
  chmodSync(exim, 0o755)
  const opendkim = join(root, 'usr/sbin/opendkim')
  const unfit =
    run(exim, ['-C', '/dev/null', '-bV'], environment) ??
    run(opendkim, ['-V'], environment) ??
    run('python3', ['-c', 'import dkim'], environment)
  return unfit ?? { exim, opendkim, environment }
}

/** Returns null if the command succeeds. */
function run(command: string, args: string[], env = process.env): string | null {
  const { status, stderr, error } = spawnSync(command, args, {
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: DEADLINE_MS,
    encoding: 'utf8',
  })
  if (status === 0) return null
  const reason = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
  return `${[command, ...args].join(' ').slice(0, 120)}: ${reason}`
}
