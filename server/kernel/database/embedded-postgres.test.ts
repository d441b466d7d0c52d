import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { fillDataFolder } from '../../../test/fixtures/cluster.ts'
import { createLog } from '../log.ts'
import { createAppSchema, placeOf } from './app-schemas.ts'
import { startEmbedded } from './embedded-postgres.ts'

test('ends the statements of apps that a killed server left, whatever they catch', async (t) => {
  const data_dir = mkdtempSync(join(tmpdir(), 'homeport-adopted-'))
  fillDataFolder(data_dir)
  const options = { data_dir, log: createLog('silent'), settings: { fsync: 'off' } }
  const started = [await startEmbedded(options)]
  t.after(async () => {
    await Promise.all(started.map((one) => one.stop()))
    rmSync(data_dir, { recursive: true, force: true })
  })
  const { connection } = started[0]!
  const role = { app_id: '019cb211-3c80-72d7-a4df-c9bf02b38e13', password: 'of the app' }
  await createAppSchema(connection, role)
  const user = `app_${role.app_id.replaceAll('-', '')}`
  const app = new pg.Client({ ...placeOf(connection), user, password: role.password })
  app.on('error', () => {})
  await app.connect()
  const stubborn = app.query(`do $$ begin loop begin perform pg_sleep(60);
    exception when query_canceled then null; end; end loop; end $$`)
  const ended = assert.rejects(stubborn, /terminating connection/)
  started.push(await startEmbedded(options))
  await ended
})
