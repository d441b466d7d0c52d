/** The ground of this area's tests: collections to try things on, and the books to check. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { openTestHouse, type Answer, type CallOptions, type TestHouse } from './house.ts'
import { openMeter, type Meter } from './statement-meter.ts'
import type { Plan } from '../../server/contract/plans.ts'

type Call = (route: string, body?: unknown, options?: CallOptions) => Promise<Answer>

export interface TestCollection {
  project_id: string
  /** Below the collection `c`: `call('POST /documents', data)`. */
  call: Call
  /** Below the root of the API. */
  callProject: Call
}

export async function newGround(options?: Parameters<typeof openTestHouse>[0]) {
  const house = await openTestHouse({ work: false, ...options })
  /** A collection `c` in a project of its own. */
  async function newCollection(
    settings: object = {},
    plan: Plan = 'reachable',
  ): Promise<TestCollection> {
    const { project_id } = await house.newProject({ plan })
    const callProject = callerOf(house, project_id)
    const made = await callProject('POST /collections', { name: 'c', ...settings })
    assert.equal(made.status, 201, made.text)
    const call: Call = (route, body, how) => {
      const [method, path = ''] = route.split(' ')
      return callProject(`${method} /collections/c${path}`, body, how)
    }
    return { project_id, call, callProject }
  }
  return { house, newCollection }
}

/** The same with another process on the database, and a meter of the statements of the first. */
export async function newGroundOfTwo() {
  let meter: Meter | null = null
  const ground = await newGround({ relay: async (database) => (meter = await openMeter(database)) })
  const { connection } = ground.house
  const relay = async () => ({ connection, close: async () => {} })
  const other = await openTestHouse({ work: false, relay })
  return { ...ground, other, meter: meter! as Meter }
}

/** A key may ask 120 times a minute, so a new one is made in time. */
export function callerOf(house: TestHouse, project_id: string): Call {
  const CALLS_OF_A_KEY = 100
  let key = house.newKey({ project_id })
  let made = 0
  return async (route, body, options = {}) => {
    made += 1
    if (made % CALLS_OF_A_KEY === 0) key = house.newKey({ project_id })
    const sent = body === undefined ? {} : { body }
    return house.call(route, { key: await key, ...sent, ...options })
  }
}

export function slugOf({ body }: Answer): string {
  return body.type.split('/').at(-1)
}

/**
 * Whatever was done to the documents of a project, its books are true: counts and bytes are those
 * of the documents, changes are numbered without gaps, and each document has its keys.
 */
export async function booksOf({ house }: TestHouse, project_id: string): Promise<void> {
  const { rows } = await sql<Record<string, unknown>>`
    select c.name, c.document_count = d.count as documents, c.bytes = d.bytes as bytes,
      u.bytes = all_bytes as usage, c.change_number = coalesce(h.last, c.change_number) as changes,
      h.count = coalesce(h.last - h.first + 1, 0)
        and (coalesce(h.first, 1) = 1 or u.deleted_change_number > 0) as numbers,
      k.count = d.count * fields.count as keys
    from collections as c
      cross join lateral (select count(*), coalesce(sum(bytes), 0) as bytes
        from documents where collection_id = c.id) as d
      cross join lateral (select coalesce(sum(cardinality(document_ids)), 0) as count,
        min(number) as first, max(number + cardinality(document_ids) - 1) as last
        from document_changes where collection_id = c.id) as h
      cross join lateral (select count(*) from document_keys where collection_id = c.id) as k
      cross join lateral (select count(distinct f.name) from (
        select jsonb_array_elements_text(c.indexes) as name
        union select jsonb_array_elements_text(c.unique_fields)) as f) as fields
      cross join (select coalesce(sum(bytes), 0) as all_bytes
        from documents where project_id = ${project_id}) as a
      join data_usage as u on u.project_id = c.project_id
    where c.project_id = ${project_id}
  `.execute(house.db)
  for (const { name, ...truths } of rows) {
    for (const [about, true_or_not] of Object.entries(truths)) {
      assert.equal(true_or_not, true, `The books of ${String(name)} are wrong about ${about}.`)
    }
  }
}
