/**
 * The master secrets of an installation: from the settings, else from the files `secret` and
 * `secret.previous` of the data folder. Database connections are named by the ids of their keys, so
 * that a rotation recognizes processes that do not have the new key.
 */
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config-types.ts'
import { makeDataFolder } from '../process/folder-lock.ts'
import { createSeal } from './crypto.ts'
import type { MasterSecrets } from './lasting-mac-keys.ts'

const OWNER_ONLY = 0o600
const SECRET_BYTES = 32
export const CONNECTION_PREFIX = 'homeport key '

export function secretFile(data_dir: string): string {
  return join(data_dir, 'secret')
}

export function previousSecretFile(data_dir: string): string {
  return join(data_dir, 'secret.previous')
}

export function createMasterSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex')
}

/** Generates the master key that is used if none is configured, and reads it from then on. */
export function readMasterSecrets(config: Config): MasterSecrets {
  const known = findMasterSecrets(config)
  if (known) return known
  makeDataFolder(config.data_dir)
  const current = createMasterSecret()
  writeFileSync(secretFile(config.data_dir), `${current}\n`, { mode: OWNER_ONLY, flag: 'wx' })
  return { current, previous: '' }
}

/** Returns null if there is no master key yet. */
export function findMasterSecrets({
  secret,
  secret_previous,
  data_dir,
}: Pick<Config, 'secret' | 'secret_previous' | 'data_dir'>): MasterSecrets | null {
  if (secret !== '') return { current: secret, previous: secret_previous }
  const current = readSecret(secretFile(data_dir))
  return current === '' ? null : { current, previous: readSecret(previousSecretFile(data_dir)) }
}

function readSecret(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

/** Replaces the generated key. A crash between the steps leaves the present key in both files. */
export function replaceGeneratedSecret(data_dir: string): MasterSecrets {
  const file = secretFile(data_dir)
  const current = createMasterSecret()
  copyFileSync(file, previousSecretFile(data_dir))
  writeFileSync(`${file}.new`, `${current}\n`, { mode: OWNER_ONLY })
  renameSync(`${file}.new`, file)
  return { current, previous: readSecret(previousSecretFile(data_dir)) }
}

/** The name of the connections of a process with this master key. */
export function nameOfConnection({ current }: MasterSecrets): string {
  return CONNECTION_PREFIX + createSeal(current).key_id
}
