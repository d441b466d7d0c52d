/**
 * Refuses requests for a client project of an agency, which the header Service-Project names
 * (specification: Agencies). This server has no agencies. Ignoring the header would let a request
 * for the client's project act on the key's own project.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../contract/errors.ts'

const CLIENT_PROJECT_HEADER = 'Service-Project'

/** Throws a Problem if the header is present, whatever its value. */
export function refuseClientProject(headers: IncomingHttpHeaders): void {
  if (headers[CLIENT_PROJECT_HEADER.toLowerCase()] === undefined) return
  const detail =
    `The header ${CLIENT_PROJECT_HEADER} asks to work in a client project of an agency, and this ` +
    'server has no agencies. Nothing was done, in this project or another.'
  throw new Problem('forbidden', detail, {
    user_message: 'Working in the project of a client is not possible here, so nothing was done.',
    next_step: {
      rest:
        `Leave out ${CLIENT_PROJECT_HEADER}: the request then acts on the project of the key. For ` +
        'another project, use a key of that project, which its owner makes in the portal under Keys.',
      mcp:
        `Tell the user to remove the header ${CLIENT_PROJECT_HEADER} from the settings of this ` +
        'connection, which then acts on its own project. For another project, connect to that one.',
      portal:
        `Leave out ${CLIENT_PROJECT_HEADER}: the path of the request names the project. An owner or ` +
        'admin of another project can invite this person to its team.',
    },
  })
}
