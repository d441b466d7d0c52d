/** The own database of an app: its password, its pool, and its size against the plan. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { limits } from '../../../contract/limits.ts'
import { plans } from '../../../contract/plans.ts'
import {
  createAppSchema,
  dropOtherSchemas,
  measureAppSchema,
  openAppPool,
  type AppPool,
} from '../../../kernel/database/app-schemas.ts'
import { createSlots } from '../../../kernel/limits/slots.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as projects from '../../projects/service.ts'
import * as store from '../store.ts'

export const PASSWORD_PURPOSE = 'app-database-password'

/** Limits of a query by the API and by env.DB. */
export const queryLimits = {
  seconds_max: limits.app_query_s_max,
  rows_max: limits.app_query_rows_max,
}

/** Returns connections as the role of an app, which is created at the first use. */
export async function openPool(runtime: Runtime, key: store.AppKey): Promise<AppPool> {
  const password = await findPassword(runtime, key)
  const { connection, log } = runtime
  return openAppPool(connection, { app_id: key.id, password, project_id: key.project_id, log })
}

/** Before a connection of Homeport is taken, which the creation of a schema occupies. */
const creations = createSlots({
  name: 'databases of apps are created',
  units: 2,
  units_each: 1,
  waiting_max: 1_000,
  waiting_each_max: 100,
  wait_ms_max: 10_000,
  retry_after_s: 1,
})

async function findPassword(runtime: Runtime, key: store.AppKey): Promise<string> {
  const { db, seal } = runtime
  const known = await store.find(db, key)
  assert(known)
  if (known.sealed_database_password)
    return seal.open(known.sealed_database_password, PASSWORD_PURPOSE)
  return creations.run(key.project_id, () => createDatabase(runtime, key))
}

function createDatabase({ db, seal, connection }: Runtime, key: store.AppKey): Promise<string> {
  return db.transact(async (tx) => {
    const row = await store.lock(tx, key)
    assert(row)
    if (row.sealed_database_password)
      return seal.open(row.sealed_database_password, PASSWORD_PURPOSE)
    const password = randomBytes(24).toString('hex')
    await createAppSchema(connection, { app_id: key.id, password })
    const sealed = seal.seal(password, PASSWORD_PURPOSE)
    await store.update(tx, key, { sealed_database_password: sealed })
    return password
  })
}

/** Measures the schema of an app and stores its size. Returns the size in bytes. */
export async function measure(
  { db, clock, connection }: Runtime,
  key: store.AppKey,
): Promise<number> {
  const { id: app_id, project_id } = key
  const bytes = await measureAppSchema(connection, { app_id, project_id })
  const sizes = { database_bytes: BigInt(bytes), database_measured_at: clock.now() }
  await db.transact((tx) => store.update(tx, key, sizes))
  return bytes
}

/** The bytes that the plan of a project allows the database of an app. */
export async function findRoom({ db }: Runtime, { project_id }: store.AppKey): Promise<number> {
  const project = await projects.find(db, project_id)
  return project ? plans[project.plan].data_bytes_max : 0
}

/** Deletes the schemas and roles of apps that do not exist. */
export async function dropOrphans({ db, connection, log }: Runtime): Promise<void> {
  const failed = await dropOtherSchemas(connection, () => store.listIds(db))
  if (failed.length > 0) log.warn({ failed }, 'databases of deleted apps could not be dropped')
}
