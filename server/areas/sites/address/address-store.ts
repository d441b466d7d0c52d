/** SQL of the addresses of an imported project. */
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/database/database.ts'
import type { SiteRow } from '../store.ts'

export function listAddresses(
  db: Reader,
  project_id: string,
): Promise<Pick<SiteRow, 'slug' | 'label'>[]> {
  return db
    .selectFrom('sites')
    .select(['slug', 'label'])
    .where('project_id', '=', project_id)
    .execute()
}

export async function listPreviewLabels(db: Reader, project_id: string): Promise<string[]> {
  const { rows } = await sql<{ preview_label: string }>`
    select preview_label from site_versions where project_id = ${project_id}`.execute(db)
  return rows.map(({ preview_label }) => preview_label)
}
