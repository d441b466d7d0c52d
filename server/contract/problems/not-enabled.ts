/** The refusal for a project whose keys do not work. */
import type { ProjectRow } from '../caller.ts'
import { Problem } from '../errors.ts'

export function notEnabled({ offline_reason }: Pick<ProjectRow, 'offline_reason'>): Problem {
  if (offline_reason === null)
    return new Problem('project_not_enabled', 'This project is not enabled for the API.')
  const detail = `The operator took this project offline: ${offline_reason}`
  return new Problem('project_not_enabled', detail, { user_message: detail })
}
