/**
 * The demo project of a first start: somebody with nothing but curl gets a test key to begin
 * with, and can publish a public site at once. Made once, at the very first start on a database.
 */
import * as keys from './areas/keys/service.ts'
import * as people from './areas/people/service.ts'
import * as projects from './areas/projects/service.ts'
import type { Runtime } from './kernel/runtime.ts'
import { claimOnce } from './kernel/settings.ts'

/** An address of this machine itself, so that nothing is ever sent to it. */
const OWNER = 'owner@demo.localhost'

export interface Demo {
  project_id: string
  test_key: string
  /** Of a link that signs the owner in, once. */
  link_secret: string | null
}

export async function createDemo(runtime: Runtime): Promise<Demo | null> {
  if (!(await claimOnce(runtime.db, 'demo_project'))) return null
  const created = await projects.create(runtime, {
    name: 'Demo',
    shape: 'single',
    plan: 'free',
    owner_email: OWNER,
  })
  if (!('project_id' in created)) return null
  // On a machine of one's own there is nobody else to reach; in production there is no demo.
  await projects.change(runtime.db, created.project_id, { phone_verified: true })
  const { key } = await keys.create(runtime, {
    project_id: created.project_id,
    mode: 'test',
    name: 'First test key',
    scopes: keys.allScopes,
    access: null,
  })
  const link_secret = await people.createLink(runtime, { realm: 'portal', email: OWNER })
  return { project_id: created.project_id, test_key: key, link_secret }
}
