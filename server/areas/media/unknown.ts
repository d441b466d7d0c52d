/** The 404 error for an unknown media id. */
import { Problem } from '../../contract/errors.ts'

export function createUnknownMediaProblem(): Problem {
  return new Problem('not_found', 'The media library has no file with this id.')
}
