/**
 * `secrets rotate` encrypts all stored secrets with the current master key, beside a running server
 * or without one, and proves by a scan that no value of the previous key is left.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Runtime } from '../../kernel/runtime.ts'
import { rotateBatch, TABLE_START } from '../../kernel/database/sealed/rotate-sealed.ts'
import type { SealedColumn } from '../../kernel/database/sealed/sealed-columns.ts'
import {
  listSealedElsewhere,
  listServersWithoutKey,
} from '../../kernel/database/sealed/rotation-checks.ts'
import { CommandError } from '../command-error.ts'
import { command, type CommandContext, type CommandOutput } from '../command.ts'
import { withRuntime } from '../database-access.ts'
import { formatCount } from '../output.ts'
import { recordCommand } from '../record-command.ts'
import { countSealedValues, listSealedColumns } from '../sealed-values.ts'
import { previousKeyPlace } from './secrets.ts'

const NAME = 'secrets rotate'
/** Passes over rows that others have locked, and the pause between them. */
const PASSES_MAX = 30
const PAUSE_MS = 1000

export const rotate = command({
  name: NAME,
  about: 'Encrypts all secrets with the current master key, also while the server runs.',
  options: {},
  run: (_, context) =>
    withRuntime(context.settings(), (runtime) =>
      recordCommand(runtime, { name: NAME, values: {} }, () => rotateAll(runtime, context)),
    ),
})

async function rotateAll(runtime: Runtime, context: CommandContext): Promise<CommandOutput> {
  const { db, seal, config } = runtime
  await refuseOtherServers(runtime)
  const previous = seal.previous?.key_id ?? null
  const before = await countWith(runtime, previous)
  if (previous === null || before === 0) {
    await proveNone(runtime, previous)
    return report(runtime, { rotated: 0, previous })
  }
  let rotated = 0
  const told = (count: number) => {
    rotated += count
    context.progress(`${rotated} of ${Math.max(before, rotated)} secrets are encrypted again`)
  }
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    for (const column of await listSealedColumns()) await rotateColumn(runtime, column, told)
    if ((await countWith(runtime, previous)) === 0) break
    context.progress('Waiting for rows that are in use.')
    await delay(PAUSE_MS)
  }
  const { data_dir } = config
  const left = await countWith({ db }, previous)
  if (left > 0) {
    throw new CommandError(
      `${formatCount(left, 'secret')} could not be locked and keep the key ${previous}: run ` +
        `"${NAME}" again (${data_dir}).`,
    )
  }
  await proveNone(runtime, previous)
  return report(runtime, { rotated, previous })
}

async function rotateColumn(
  runtime: Runtime,
  column: SealedColumn,
  told: (count: number) => void,
): Promise<void> {
  let place: string | null = TABLE_START
  while (place !== null) {
    const { count, after } = await rotateBatch(runtime, column, place)
    if (count > 0) told(count)
    place = after
  }
}

async function countWith({ db }: Pick<Runtime, 'db'>, key_id: string | null): Promise<number> {
  const counts = await countSealedValues(db)
  return counts.filter((row) => row.key_id === key_id).reduce((sum, { values }) => sum + values, 0)
}

/** A server without the new key could not read rewritten values, and would write old ones. */
async function refuseOtherServers({ db, seal }: Runtime): Promise<void> {
  const others = await listServersWithoutKey(db, seal.key_id)
  if (others.length === 0) return
  throw new CommandError(
    `A server still uses the master key ${others.join(' and ')}: restart every server with the ` +
      `key ${seal.key_id} first.`,
  )
}

/** Throws unless every binary column of the database is free of the key, declared or not. */
async function proveNone({ db, seal }: Runtime, previous: string | null): Promise<void> {
  const foreign = (await countSealedValues(db)).filter(({ key_id }) => key_id !== seal.key_id)
  const [first] = foreign
  if (first) {
    throw new CommandError(
      `${formatCount(first.values, 'secret')} in ${first.table} encrypted with the key ` +
        `${first.key_id}, which this installation does not have: set HOMEPORT_SECRET_PREVIOUS to it.`,
    )
  }
  const elsewhere = previous === null ? [] : await listSealedElsewhere(db, previous)
  if (elsewhere.length === 0) return
  throw new CommandError(
    `Values of the key ${previous} are left in ${elsewhere.join(', ')}: keep the key.`,
  )
}

async function report(
  { db, seal, config }: Runtime,
  { rotated, previous }: { rotated: number; previous: string | null },
): Promise<CommandOutput> {
  const counts = await countSealedValues(db)
  const total = counts.reduce((sum, { values }) => sum + values, 0)
  const place = previousKeyPlace(config)
  const json = {
    key_id: seal.key_id,
    previous_key_id: previous,
    rotated,
    values: total,
    previous_values: 0,
  }
  const proof = `All ${formatCount(total, 'secret')} are encrypted with the key ${seal.key_id}.`
  if (previous === null) return { json, text: `There is no previous key. ${proof}` }
  const next = `The key ${previous} is not used any more: remove ${place}, and restart the server.`
  return { json, text: `${formatCount(rotated, 'secret')} encrypted again. ${proof}\n${next}` }
}
