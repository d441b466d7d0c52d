/**
 * What statements cost, as the number of rows they look at: a fact of the plan that does not
 * depend on how busy the machine is. The plan is the one a statement has once it was run so often
 * that it no longer depends on its parameters.
 */
import assert from 'node:assert/strict'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Database, Transaction } from '../../server/kernel/database.ts'

interface Plan {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Runs `work` for its statements alone; gives the rows that each of them looks at. */
export async function rowsRead(
  { house, connection }: { house: { db: Database }; connection: pg.PoolConfig },
  work: (tx: Transaction) => Promise<unknown>,
): Promise<number[]> {
  const statements = await statementsOf(house.db, work)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query("set plan_cache_mode = 'force_generic_plan'")
    const rows: number[] = []
    await client.query('begin')
    for (const statement of statements) rows.push(countRows(await explain(client, statement)))
    await client.query('rollback')
    return rows
  } finally {
    await client.end()
  }
}

async function statementsOf(db: Database, work: (tx: Transaction) => Promise<unknown>) {
  const statements: CompiledQuery[] = []
  const undo = new Error('Only the statements were wanted.')
  const told = db.transact(async (tx) => {
    await work(
      tx.withPlugin({
        transformQuery({ node, queryId }) {
          statements.push(tx.getExecutor().compileQuery(node, queryId))
          return node
        },
        transformResult: async ({ result }) => result,
      }),
    )
    throw undo
  })
  await assert.rejects(told, undo)
  return statements
}

async function explain(client: pg.Client, { sql, parameters }: CompiledQuery): Promise<Plan> {
  const values = parameters.map((value) => {
    if (value === null) return 'null'
    if (value instanceof Date) return client.escapeLiteral(value.toISOString())
    if (Buffer.isBuffer(value)) return client.escapeLiteral(`\\x${value.toString('hex')}`)
    return client.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value))
  })
  await client.query(`prepare statement as ${sql}`)
  const given = values.length > 0 ? `(${values.join()})` : ''
  const { rows } = await client.query(`explain (analyze, format json) execute statement${given}`)
  await client.query('deallocate statement')
  return rows[0]['QUERY PLAN'][0].Plan
}

function countRows(plan: Plan): number {
  const within = (plan.Plans ?? []).map(countRows)
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  return own * plan['Actual Loops'] + within.reduce((sum, rows) => sum + rows, 0)
}
