/** The modes that keys of a project can have. */
import type { Mode, ProjectRow } from '../../contract/caller.ts'

/** Test mode always; live mode once the company is verified (specification: Authentication 4). */
export function listKeyModes({ shape, company_status }: ProjectRow): Mode[] {
  const live: Mode[] = company_status === 'approved' ? ['live'] : []
  if (shape === 'single') return ['test', ...live]
  return shape === 'test' ? ['test'] : live
}
