/**
 * The rows that an act of an operator may change, before and after it. Another connection still sees
 * a changed row as it was before the transaction, and nobody else can change it before the commit.
 */
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'

/** Tables of the records that operators act on, by the first word of the operation. */
const tables: Readonly<Record<string, string>> = {
  sites: 'sites',
  reviews: 'site_reviews',
  keys: 'api_keys',
  tokens: 'public_tokens',
  incidents: 'status_incidents',
  incident_proposals: 'status_proposals',
  sign_up_invitations: 'sign_up_invitations',
  'sign-ups': 'sign_up_invitations',
}

const secret = /hash|sealed|secret|mac$|token|password|digest|^search/

export interface SnapshotWanted {
  resource_type: string
  resource_id: string | null
  project_id: string
  /** The address of a person that the act concerns. */
  email: string | null
}

type Facts = Readonly<Record<string, unknown>>

export interface Change {
  before: Facts
  after: Facts
}

/** Returns the columns that the transaction has changed. */
export async function readChange(
  tx: Transaction,
  db: Reader,
  wanted: SnapshotWanted,
): Promise<Change> {
  const [after, before] = await Promise.all([readFacts(tx, wanted), readFacts(db, wanted)])
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )
  const pick = (facts: Facts) => Object.fromEntries(names.map((one) => [one, facts[one] ?? null]))
  return { before: pick(before), after: pick(after) }
}

async function readFacts(db: Reader, wanted: SnapshotWanted): Promise<Facts> {
  const { resource_type, resource_id, project_id, email } = wanted
  const table = tables[resource_type]
  const found = [await readRow(db, 'projects', { column: 'id', value: project_id })]
  if (table !== undefined && resource_id !== null)
    found.push(await readRow(db, table, { column: 'id', value: resource_id }))
  if (email !== null) found.push(await readRow(db, 'people', { column: 'email', value: email }))
  return Object.assign({}, ...found)
}

async function readRow(
  db: Reader,
  table: string,
  { column, value }: { column: string; value: string },
): Promise<Facts> {
  const { rows } = await sql<{ row: Facts }>`
    select to_jsonb(t) as row from ${sql.table(table)} as t
    where t.${sql.ref(column)}::text = ${value} limit 1`.execute(db)
  const columns = Object.entries(rows[0]?.row ?? {}).filter(([name]) => !secret.test(name))
  return Object.fromEntries(columns.map(([name, content]) => [`${table}.${name}`, content]))
}
