/** Somebody who publishes sites: a project of their own whose phone number is verified. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import * as projects from '../../server/areas/projects/service.ts'
import type { Plan } from '../../server/contract/plans.ts'
import { callerOf } from './data.ts'
import type { Answer, CallOptions, TestHouse } from './house.ts'

let slugs = 0

/** A slug that no other test has. */
export function newSlug(): string {
  slugs += 1
  return `test-site-${slugs}`
}

export interface SiteOwner {
  project_id: string
  call(route: string, body?: unknown, options?: CallOptions): Promise<Answer>
  /** Publishes texts by their paths as a new site, and gives it as the API shows it. */
  publish(texts: Record<string, string>, settings?: object): Promise<any>
}

export async function newSiteOwner(
  house: TestHouse,
  { plan = 'reachable', verified = true }: { plan?: Plan; verified?: boolean } = {},
): Promise<SiteOwner> {
  const { project_id } = await house.newProject({ plan })
  await projects.change(house.house.db, project_id, { phone_verified: verified })
  const call = callerOf(house, project_id)
  return {
    project_id,
    call,
    async publish(texts, settings = {}) {
      const body = { slug: newSlug(), files: filesOf(texts), ...settings }
      const answer = await call('POST /sites', body)
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    },
  }
}

/** Texts by their paths, as a deploy takes them. */
export function filesOf(texts: Record<string, string>) {
  return Object.entries(texts).map(([path, content]) => ({ path, content }))
}

/**
 * Whatever was done to the sites of a project, its books are true: each file is used as often as
 * versions and media name it, and each live version is there.
 */
export async function fileBooksOf({ house }: TestHouse, project_id: string): Promise<void> {
  const { rows } = await sql<{ id: string; uses: number; named: number }>`
    select f.id, f.uses, count(n.file_id)::int as named from files as f
      left join (
        select distinct v.site_id, v.number, (file->>'file_id')::uuid as file_id
          from site_versions as v cross join jsonb_array_elements(v.files) as file
          where v.project_id = ${project_id}
        union all select null, null, file_id from media where project_id = ${project_id}
      ) as n on n.file_id = f.id
    where f.project_id = ${project_id} and f.doomed_at is null
    group by f.id, f.uses`.execute(house.db)
  for (const { id, uses, named } of rows) assert.equal(uses, named, `The uses of ${id} are wrong.`)
  const headless = await sql`
    select 1 from sites as s where s.project_id = ${project_id} and not exists (
      select 1 from site_versions as v where v.project_id = s.project_id
        and v.site_id = s.id and v.number = s.live_version)`.execute(house.db)
  assert.equal(headless.rows.length, 0, 'A site has no live version.')
}
