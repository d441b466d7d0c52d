/** Checks of the machine: Node.js, settings, data folder, disk space, isolation of apps and master key. */
import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../kernel/config/config-types.ts'
import type { DoctorCheck } from './doctor-check.ts'
import { secretFile } from '../../kernel/secrets/master-secrets.ts'
import { isIsolated } from '../../providers/app-runtime/app-runtime.ts'
import { findMasterKey } from '../database-access.ts'

const NODE_MAJOR_MIN = 26
const GB = 1_073_741_824
const DISK_BYTES_WARN = 2 * GB
const DISK_BYTES_FAIL = 0.2 * GB
const MODE_FOR_OTHERS = 0o077

export function checkNode(node_version = process.versions.node): DoctorCheck {
  const name = 'node'
  const detail = `Node.js ${node_version}.`
  if (Number.parseInt(node_version, 10) >= NODE_MAJOR_MIN)
    return { name, status: 'ok', detail, next_step: null }
  const next_step = `Run it with "npm run homeport", which uses Node.js ${NODE_MAJOR_MIN}.`
  return { name, status: 'fail', detail, next_step }
}

/** Reports development settings. The settings have been validated before. */
export function checkSettings(config: Config): DoctorCheck {
  const name = 'settings'
  const open = [
    ...(config.test_clock ? ['HOMEPORT_TEST_CLOCK'] : []),
    ...(config.webhooks_allow_private ? ['HOMEPORT_WEBHOOKS_ALLOW_PRIVATE'] : []),
    ...(config.egress_allow_private ? ['HOMEPORT_EGRESS_ALLOW_PRIVATE'] : []),
  ]
  const detail = `The settings are valid, for ${config.production ? 'production' : 'development'}.`
  if (open.length === 0) return { name, status: 'ok', detail, next_step: null }
  const next_step = `Remove ${open.join(' and ')} before people depend on this installation.`
  return { name, status: 'warn', detail, next_step }
}

export function checkDataFolder({ data_dir }: Config): DoctorCheck {
  const name = 'data_folder'
  const folder = existingFolder(data_dir)
  try {
    rmdirSync(mkdtempSync(join(folder, '.doctor-')))
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const detail = `The folder ${folder} is not writable (${why}).`
    const next_step =
      'Make the folder writable for the user that runs Homeport, or set HOMEPORT_DATA_DIR to another one.'
    return { name, status: 'fail', detail, next_step }
  }
  const detail =
    folder === data_dir
      ? `${data_dir} can be written to.`
      : `${data_dir} is made at the first start.`
  return { name, status: 'ok', detail, next_step: null }
}

export function checkDiskSpace({ data_dir }: Config): DoctorCheck {
  const name = 'disk_space'
  const { bavail, bsize } = statfsSync(existingFolder(data_dir))
  const bytes = bavail * bsize
  const detail = `${(bytes / GB).toFixed(1)} GB are free.`
  const status = bytes < DISK_BYTES_FAIL ? 'fail' : bytes < DISK_BYTES_WARN ? 'warn' : 'ok'
  const next_step =
    status === 'ok' ? null : 'Free disk space, because a full disk stops the database.'
  return { name, status, detail, next_step }
}

/** Whether processes of apps have no network at all, tried as the user who runs the check. */
export function checkAppIsolation(is_isolated = isIsolated()): DoctorCheck {
  const name = 'app_isolation'
  if (is_isolated) {
    const detail = 'Apps run in network namespaces of their own.'
    return { name, status: 'ok', detail, next_step: null }
  }
  const detail =
    'The kernel allows no network namespaces, so only workerd keeps the code of apps off the network.'
  const next_step =
    'Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1 or ' +
    'kernel.apparmor_restrict_unprivileged_userns=0; in a container, its security profile), or publish ' +
    'apps only of people whom you trust.'
  return { name, status: 'warn', detail, next_step }
}

/** The data folder, or its nearest existing ancestor. */
function existingFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingFolder(dirname(path))
}

export function checkMasterKey(config: Config): DoctorCheck {
  const name = 'master_key'
  const key = findMasterKey(config)
  if (!key) {
    return {
      name,
      status: 'ok',
      detail: 'There is no master key yet; the first start creates it.',
      next_step: null,
    }
  }
  const file = secretFile(config.data_dir)
  if (!config.secret && statSync(file).mode & MODE_FOR_OTHERS) {
    const detail = `${file} can be read by other users.`
    return { name, status: 'warn', detail, next_step: `Run: chmod 600 ${file}` }
  }
  const detail = `Key ${key.key_id}, from ${key.kept_in}.`
  return { name, status: 'ok', detail, next_step: null }
}
