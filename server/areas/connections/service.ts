/**
 * The door of the area: connections as people see them, what they hold as the authorization server
 * handles it, and whom an access token is of.
 */
import * as holdings from './holdings.ts'

export {
  change,
  find,
  list,
  open,
  revoke,
  type ConnectionFacts,
  type Limits,
} from './connections.ts'
export { findName, recognise, recogniseAgain, type ConnectionHolder } from './recognise.ts'
export { ClientFault, readClientMetadata, sortOfAddress } from './client-metadata.ts'
export { findClient, registerClient } from './clients.ts'
export { accessTokenIn, newAccessTokenText, newCodeText, newRefreshTokenText } from './text.ts'
export { holdings }
