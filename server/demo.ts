/**
 * The demo project of a first start. It gives a new operator a test key, and can publish a public
 * site at once. Created once per database. Each start creates a new key and sign-in link for it,
 * until a banner with them was printed.
 */
import * as keys from './areas/keys/service.ts'
import * as people from './areas/people/service.ts'
import * as projects from './areas/projects/service.ts'
import type { Database } from './kernel/database/database.ts'
import type { Runtime } from './kernel/runtime.ts'
import { claimOnce, storeUnseenDemo, readUnseenDemo } from './kernel/settings.ts'

/** An address of this machine, so that no mail leaves it. */
const OWNER = 'owner@demo.localhost'

const CALL = 'npm run -s homeport --'
/** Placeholders for the commands, if there are several projects or none. */
const UNKNOWN = { id: 'PROJECT_ID', owner_email: 'you@example.com' }

export interface Demo {
  project_id: string
  test_key: string
  /** Secret of a link that signs the owner in once; null if there is none. */
  link_secret: string | null
}

/** Returns null once a banner with its key was printed. */
export async function createDemo(runtime: Runtime): Promise<Demo | null> {
  const { db } = runtime
  await db.transact(async (tx) => {
    if (!(await claimOnce(tx, 'demo_project'))) return
    const facts = { name: 'Demo', plan: 'free' as const, owner_email: OWNER }
    await storeUnseenDemo(tx, (await projects.insertSingle(tx, runtime, facts)).id)
  })
  const project_id = await readUnseenDemo(db)
  if (!project_id || !(await projects.find(db, project_id))) return null
  // Marked as verified, because mail to this address reaches nobody. Production has no demo.
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
  return db.transact((tx) => storeUnseenDemo(tx, ''))
}

/**
 * Returns commands that create another key and another sign-in link, for the banner of a later
 * start.
 */
export async function commandsForAccess(db: Database): Promise<Record<string, string>> {
  const [only, ...others] = await projects.list(db)
  const { id, owner_email } = only && others.length === 0 ? only : UNKNOWN
  const email = owner_email ?? UNKNOWN.owner_email
  return {
    new_key: `${CALL} keys create --project ${id} --mode test`,
    new_sign_in_link: `${CALL} people sign-in-link --email ${email}`,
  }
}
