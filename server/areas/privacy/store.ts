/** The SQL of retention. */
import type { Reader, Transaction } from '../../kernel/database/database.ts'

export interface Choice {
  kind: string
  days: number | null
}

export function listChoices(db: Reader, project_id: string): Promise<Choice[]> {
  return db
    .selectFrom('retention_choices')
    .select(['kind', 'days'])
    .where('project_id', '=', project_id)
    .execute()
}

export interface NewChoices {
  project_id: string
  choices: readonly Choice[]
  now: Date
}

export async function replaceChoices(
  tx: Transaction,
  { project_id, choices, now }: NewChoices,
): Promise<void> {
  // Two requests at once would both insert the same kinds.
  await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', project_id)
    .forNoKeyUpdate()
    .execute()
  await tx.deleteFrom('retention_choices').where('project_id', '=', project_id).execute()
  if (choices.length === 0) return
  await tx
    .insertInto('retention_choices')
    .values(choices.map((choice) => ({ ...choice, project_id, changed_at: now })))
    .execute()
}

export interface ProjectChoices {
  project_id: string
  choices: Choice[]
}

/** The next projects after `after`, with their choices. */
export async function listProjects(
  db: Reader,
  { after, count }: { after: string; count: number },
): Promise<ProjectChoices[]> {
  const page = await db
    .selectFrom('projects')
    .select('id')
    .where('id', '>', after)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(count)
    .execute()
  const ids = page.map(({ id }) => id)
  if (ids.length === 0) return []
  const chosen = await db
    .selectFrom('retention_choices')
    .select(['project_id', 'kind', 'days'])
    .where('project_id', 'in', ids)
    .execute()
  const byProject = Map.groupBy(chosen, ({ project_id }) => project_id)
  return ids.map((project_id) => ({ project_id, choices: byProject.get(project_id) ?? [] }))
}
