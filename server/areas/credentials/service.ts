/** What people of the portal and users of apps sign in with: checks of passwords and of passkeys. */
export type { ChallengePurpose } from './passkey-challenge.ts'
export { toRelyingParty, type RelyingParty } from './passkey-response.ts'
export {
  createPasskeyOptions,
  isPasskeyName,
  readNewPasskey,
  requestPasskeyOptions,
  takePasskey,
  type PasskeyOptions,
} from './passkeys.ts'
export { findPasswordFault } from './password-strength.ts'
export { consumeChallenge } from './store.ts'
