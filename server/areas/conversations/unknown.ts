/** The Problem of an unknown conversation. */
import { Problem } from '../../contract/errors.ts'

export function unknownConversation(): Problem {
  return new Problem('not_found', 'This project has no conversation with this id.')
}
