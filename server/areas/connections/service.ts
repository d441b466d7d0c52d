/** Public interface of the area: managing connections, their credentials, and authentication. */
import * as credentials from './credentials.ts'

export { openConnection, type ConnectionFacts, type ConnectionLimits } from './connections.ts'
export { findClientName, authenticate, findHolder, type ConnectionHolder } from './authenticate.ts'
export {
  ClientMetadataError,
  readClientMetadata,
  classifyRedirectUri,
} from './oauth/client-metadata.ts'
export { findClient, registerClient } from './oauth/clients.ts'
export {
  readAccessToken,
  newAccessTokenText,
  newCodeText,
  newRefreshTokenText,
} from './token-formats.ts'
export { credentials }
