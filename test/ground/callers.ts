/** A caller for tests of a service that other areas use and no operation reaches by itself. */
import assert from 'node:assert/strict'
import * as projects from '../../server/areas/projects/service.ts'
import type { Caller } from '../../server/contract/caller.ts'
import type { House } from '../../server/kernel/house.ts'

export async function callerOf(house: House, project_id: string): Promise<Caller> {
  const project = await projects.find(house.db, project_id)
  assert(project)
  return {
    house,
    db: house.db,
    request_id: 'req_of_a_test',
    project,
    mode: 'test',
    key_id: '',
    scopes: new Set(),
    access: null,
    idempotency_key: null,
    remember: async () => {},
  }
}
