/**
 * The demo project of a first start: somebody with nothing but curl gets a test key to begin
 * with. Made once, at the very first start on a database.
 */
import * as keys from './areas/keys/service.ts'
import * as projects from './areas/projects/service.ts'
import type { House } from './kernel/house.ts'
import { claimOnce } from './kernel/settings.ts'

export interface Demo {
  project_id: string
  test_key: string
}

export async function createDemo(house: House): Promise<Demo | null> {
  if (!(await claimOnce(house.db, 'demo_project'))) return null
  const created = await projects.create(house, {
    name: 'Demo',
    shape: 'single',
    plan: 'free',
    owner_email: null,
  })
  if (!('project_id' in created)) return null
  const { key } = await keys.create(house, {
    project_id: created.project_id,
    mode: 'test',
    name: 'First test key',
    scopes: keys.allScopes,
    access: null,
  })
  return { project_id: created.project_id, test_key: key }
}
