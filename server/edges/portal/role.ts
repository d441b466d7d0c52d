/** The refusal of an action that needs a higher role. */
import * as people from '../../areas/people/service.ts'
import { Problem } from '../../contract/errors.ts'

export function requireRole(role: people.Role, least: people.Role): void {
  if (people.hasRole(role, least)) return
  const user_message = `Only ${least === 'owner' ? 'an owner' : `a member with the role ${least} or above`} can do this.`
  const next_step = 'Ask a member with this role to do it or to give you the role.'
  throw new Problem('forbidden', user_message, { user_message, next_step })
}
