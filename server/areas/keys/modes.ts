/** The modes that keys of a project can have. */
import type { Mode, ProjectRow } from '../../contract/caller.ts'

/** Test keys always; live keys once the company is verified (Authentication 4). */
export function modesOf({ shape, company_status }: ProjectRow): Mode[] {
  const live: Mode[] = company_status === 'approved' ? ['live'] : []
  if (shape === 'single') return ['test', ...live]
  return shape === 'test' ? ['test'] : live
}
