/** Commands that show the master keys of stored secrets, and that begin a rotation. */
import { existsSync } from 'node:fs'
import type { Config } from '../../kernel/config/config-types.ts'
import {
  createMasterSecret,
  findMasterSecrets,
  previousSecretFile,
  replaceGeneratedSecret,
  secretFile,
} from '../../kernel/secrets/master-secrets.ts'
import { createSeal } from '../../kernel/secrets/crypto.ts'
import type { SealedCount } from '../../kernel/database/sealed/sealed-columns.ts'
import { CommandError } from '../command-error.ts'
import { command, type CommandOutput } from '../command.ts'
import { findMasterKey, hasDatabase, openDatabaseAccess, withDatabase } from '../database-access.ts'
import { formatCount, formatTable } from '../output.ts'
import { countSealedValues } from '../sealed-values.ts'

export const status = command({
  name: 'secrets status',
  about: 'Counts the encrypted secrets in the database by their master key.',
  options: {},
  async run(_, context) {
    const config = context.settings()
    const key = findMasterKey(config)
    const counts = await countAll(config)
    const state = (id: string) =>
      id === key?.key_id ? 'current' : id === key?.previous_key_id ? 'previous' : 'missing'
    const values = counts.map((row) => ({ ...row, key: state(row.key_id) }))
    const rows = values.map((row) => [row.key_id, row.key, row.table, row.column, row.values])
    const json = {
      current_key_id: key?.key_id ?? null,
      previous_key_id: key?.previous_key_id ?? null,
      values,
    }
    const headings = ['KEY', 'STATE', 'TABLE', 'COLUMN', 'VALUES']
    const text = rows.length > 0 ? formatTable(headings, rows) : 'There are no encrypted secrets.'
    return { json, text: `${text}\n\n${adviceFor(values)}` }
  },
})

function adviceFor(values: readonly { key: string; values: number }[]): string {
  const countOf = (key: string) =>
    values.filter((row) => row.key === key).reduce((sum, row) => sum + row.values, 0)
  if (countOf('missing') > 0)
    return 'The server does not start without the missing key: set HOMEPORT_SECRET_PREVIOUS to it.'
  if (countOf('previous') > 0) return 'Run "secrets rotate" to encrypt all with the current key.'
  return 'All secrets are encrypted with the current key.'
}

export const newKey = command({
  name: 'secrets new-key',
  about: 'Creates a new master key and keeps the present one readable. "secrets rotate" follows.',
  options: {},
  async run(_, context) {
    const config = context.settings()
    const key = findMasterKey(config)
    if (key === null)
      throw new CommandError('There is no master key yet; the first start creates it.')
    if (hasDatabase(config)) await refuseUnfinished(config, key.key_id)
    return config.secret ? printed() : stored(config, key.key_id)
  },
})

/** A third key would leave the values of the oldest unreadable. */
async function refuseUnfinished(config: Config, key_id: string): Promise<void> {
  const others = (await countAll(config)).filter((row) => row.key_id !== key_id)
  if (others.length === 0) return
  const count = others.reduce((sum, { values }) => sum + values, 0)
  throw new CommandError(
    `${formatCount(count, 'secret')} encrypted with another key: run "secrets rotate" first.`,
  )
}

/** The settings of the process are not ours to change. */
function printed(): CommandOutput {
  const secret = createMasterSecret()
  const { key_id } = createSeal(secret)
  const text =
    `HOMEPORT_SECRET=${secret}\n\nSet HOMEPORT_SECRET_PREVIOUS to the present value of ` +
    'HOMEPORT_SECRET, and HOMEPORT_SECRET to this one, which is not stored anywhere. Restart ' +
    'every server, then run "secrets rotate".'
  return { json: { key_id, secret, file: null }, text }
}

function stored({ data_dir }: Config, previous_key_id: string): CommandOutput {
  const secrets = replaceGeneratedSecret(data_dir)
  const { key_id } = createSeal(secrets.current)
  const file = secretFile(data_dir)
  const text =
    `The new master key ${key_id} is in ${file}, the present one, ${previous_key_id}, in ` +
    `${previousSecretFile(data_dir)}. Restart the server now, then run "secrets rotate".`
  return { json: { key_id, secret: null, file }, text }
}

async function countAll(config: Config): Promise<SealedCount[]> {
  if (!hasDatabase(config)) throw new CommandError(`${config.data_dir} has no database yet.`)
  const database = await openDatabaseAccess(config)
  try {
    return await withDatabase(database, countSealedValues)
  } finally {
    await database.leave()
  }
}

/** Names what contains the previous key, which may be removed after a rotation. */
export function previousKeyPlace(config: Config): string {
  const file = previousSecretFile(config.data_dir)
  if (config.secret === '' && existsSync(file)) return `the file ${file}`
  return findMasterSecrets(config)?.previous ? 'HOMEPORT_SECRET_PREVIOUS' : ''
}
