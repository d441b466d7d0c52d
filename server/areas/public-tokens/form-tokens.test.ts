/** Test of the migration that closes the chat for tokens that were made for forms. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, dropTestDatabase } from '../../../test/fixtures/cluster.ts'
import { migrate } from '../../kernel/database/migrations.ts'

const BEFORE = 55

test('closes the chat of site tokens that have default limits and never had a chat', async () => {
  const migrated = await createTestDatabase()
  const name = `before_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client(migrated)
  await admin.connect()
  try {
    await admin.query(`create database ${name} template template0`)
    const connection = { ...migrated, database: name }
    await migrate(connection, BEFORE)
    const client = new pg.Client(connection)
    await client.connect()
    try {
      const project_id = randomUUID()
      await client.query(
        `insert into projects (id, name, shape, rails, created_at) values ($1, 'Shop', 'single', '{}', now())`,
        [project_id],
      )
      const add = async (label: string, columns: { site_id?: string; limit?: number } = {}) => {
        const id = randomUUID()
        await client.query(
          `insert into public_tokens (project_id, id, hash, start, name, allowed_origins, created_at,
            site_id, daily_conversation_limit) values ($1, $2, $3, 'hm_pub_', $4, '{https://a.example}',
            now(), $5, $6)`,
          [project_id, id, randomBytes(32), label, columns.site_id ?? null, columns.limit ?? 200],
        )
        return id
      }
      const site_id = randomUUID()
      await add('form', { site_id })
      await add('own')
      await add('changed', { site_id, limit: 20 })
      const used = await add('used', { site_id })
      await client.query(
        `insert into chat_token_days (project_id, token_id, day, conversations, spent_micro)
          values ($1, $2, current_date, 3, 0)`,
        [project_id, used],
      )
      await migrate(connection)
      const { rows } = await client.query(
        `select name, daily_conversation_limit as conversations, daily_spend_limit_micro::int as spent
          from public_tokens order by name`,
      )
      assert.deepEqual(rows, [
        { name: 'changed', conversations: 20, spent: 5_000_000 },
        { name: 'form', conversations: 0, spent: 0 },
        { name: 'own', conversations: 200, spent: 5_000_000 },
        { name: 'used', conversations: 200, spent: 5_000_000 },
      ])
    } finally {
      await client.end()
    }
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
    await dropTestDatabase(migrated)
  }
})
