/** Public interface of the area: managing connections, their credentials, and authentication. */
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
