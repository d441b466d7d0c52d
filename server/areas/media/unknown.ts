/** The problem with an id that the library does not have. */
import { Problem } from '../../contract/errors.ts'

export function unknownMedia(): Problem {
  return new Problem('not_found', 'The media library has no file with this id.')
}
