/**
 * The demo project of a first start: somebody with nothing but curl gets a test key to begin
 * with, and can publish a public site at once. Made once in the life of a database; its key and its
 * link are made anew at each start until a banner with them was printed.
 */
import * as keys from './areas/keys/service.ts'
import * as people from './areas/people/service.ts'
import * as projects from './areas/projects/service.ts'
import type { Database } from './kernel/database/database.ts'
import type { Runtime } from './kernel/runtime.ts'
import { claimOnce, keepUnseenDemo, readUnseenDemo } from './kernel/settings.ts'

/** An address of this machine itself, so that nothing is ever sent to it. */
const OWNER = 'owner@demo.localhost'

const CALL = 'npm run -s homeport --'
/** Stands for the project where there are several, or none. */
const UNKNOWN = { id: 'PROJECT_ID', owner_email: 'you@example.com' }

export interface Demo {
  project_id: string
  test_key: string
  /** Of a link that signs the owner in, once. */
  link_secret: string | null
}

/** Returns null once a banner with its key was printed. */
export async function createDemo(runtime: Runtime): Promise<Demo | null> {
  const { db } = runtime
  await db.transact(async (tx) => {
    if (!(await claimOnce(tx, 'demo_project'))) return
    const facts = { name: 'Demo', plan: 'free' as const, owner_email: OWNER }
    await keepUnseenDemo(tx, (await projects.insertSingle(tx, runtime, facts)).id)
  })
  const project_id = await readUnseenDemo(db)
  if (!project_id || !(await projects.find(db, project_id))) return null
  // On a machine of one's own there is nobody else to reach; in production there is no demo.
  await projects.change(db, project_id, { phone_verified: true })
  const { key } = await keys.create(runtime, {
    project_id,
    mode: 'test',
    name: 'First test key',
    scopes: keys.allScopes,
    access: null,
  })
  const link_secret = await people.createLink(runtime, { realm: 'portal', email: OWNER })
  return { project_id, test_key: key, link_secret }
}

export function markDemoSeen(db: Database): Promise<void> {
  return db.transact((tx) => keepUnseenDemo(tx, ''))
}

/** How to get another key and another sign-in link, for the banner of a later start. */
export async function commandsForAccess(db: Database): Promise<Record<string, string>> {
  const [only, ...others] = await projects.list(db)
  const { id, owner_email } = only && others.length === 0 ? only : UNKNOWN
  const email = owner_email ?? UNKNOWN.owner_email
  return {
    new_key: `${CALL} keys create --project ${id} --mode test`,
    new_sign_in_link: `${CALL} people sign-in-link --email ${email}`,
  }
}
