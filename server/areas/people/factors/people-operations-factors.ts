/** Portal operations on a person's passkeys, authenticator app and recovery codes. */
import { peopleOperation } from '../../../contract/people.ts'
import * as own from './own-factors.ts'
import {
  ConfirmationWays,
  NewPasskey,
  Passkey,
  PasskeyName,
  PasskeyParams,
  PasskeyQuestion,
  Passkeys,
  RecoveryCodes,
  TotpCode,
  TotpSetup,
} from './schema-factors.ts'

export const confirmation = peopleOperation({
  name: 'me.confirmation',
  route: 'GET /me/confirmation',
  about:
    'The ways in which you can confirm your identity. They are used by the forms of the page ' +
    '/portal/confirm.',
  keywords: 'prove who I am, re-authenticate, step up, sudo',
  access: 'person',
  effect: 'read',
  status: 200,
  reply: ConfirmationWays,
  errors: [],
  run: (_input, caller) => own.showConfirmationWays(caller),
})

export const list = peopleOperation({
  name: 'passkeys.list',
  route: 'GET /passkeys',
  about: 'Lists your passkeys.',
  keywords: 'fingerprints, security keys, my login methods',
  access: 'person',
  effect: 'read',
  status: 200,
  reply: Passkeys,
  errors: [],
  run: (_input, caller) => own.listOwnPasskeys(caller),
})

export const begin = peopleOperation({
  name: 'passkeys.begin',
  route: 'POST /passkeys/options',
  about:
    'Creates the question with which a browser creates a passkey for you. It is valid for ten ' +
    'minutes, once.',
  keywords: 'fingerprint, face id, WebAuthn, security key, register',
  access: 'person',
  fresh: true,
  effect: 'write',
  status: 200,
  reply: PasskeyQuestion,
  errors: ['conflict'],
  run: (_input, caller) => own.askForPasskey(caller),
})

export const create = peopleOperation({
  name: 'passkeys.create',
  route: 'POST /passkeys',
  about:
    'Adds the passkey that the browser created. You can sign in with it at once, and get a mail ' +
    'about it.',
  keywords: 'fingerprint, face id, WebAuthn, security key, passwordless',
  access: 'person',
  fresh: true,
  effect: 'write',
  body: NewPasskey,
  status: 204,
  errors: ['conflict'],
  run: ({ body }, caller) => own.addOwnPasskey(caller, body),
})

export const rename = peopleOperation({
  name: 'passkeys.rename',
  route: 'PATCH /passkeys/{passkey_id}',
  about: 'Renames a passkey.',
  keywords: 'label fingerprint, security key name',
  access: 'person',
  fresh: true,
  effect: 'write',
  params: PasskeyParams,
  body: PasskeyName,
  status: 200,
  reply: Passkey,
  errors: ['not_found'],
  run: ({ params, body }, caller) =>
    own.renameOwnPasskey(caller, { id: params.passkey_id, name: body.name }),
})

export const remove = peopleOperation({
  name: 'passkeys.remove',
  route: 'DELETE /passkeys/{passkey_id}',
  about:
    'Removes a passkey and ends your other sessions. Your last way to sign in cannot be removed.',
  keywords: 'lost phone, delete fingerprint, security key',
  access: 'person',
  fresh: true,
  effect: 'write',
  params: PasskeyParams,
  status: 204,
  errors: ['not_found', 'conflict'],
  run: ({ params }, caller) => own.removeOwnPasskey(caller, params.passkey_id),
})

export const beginTotp = peopleOperation({
  name: 'totp.begin',
  route: 'POST /me/totp/setup',
  about: 'Creates the secret of an authenticator app. It has no effect before its first code.',
  keywords: 'two-factor, 2FA, MFA, authenticator, QR code',
  access: 'person',
  fresh: true,
  effect: 'write',
  status: 200,
  reply: TotpSetup,
  errors: ['conflict'],
  run: (_input, caller) => own.beginOwnTotp(caller),
})

export const confirmTotp = peopleOperation({
  name: 'totp.confirm',
  route: 'PUT /me/totp',
  about:
    'Turns the authenticator app on, by its first code. Signing in then needs its code, and your ' +
    'other sessions end.',
  keywords: 'two-factor, 2FA, MFA, first code, enable',
  access: 'person',
  fresh: true,
  effect: 'write',
  body: TotpCode,
  status: 200,
  reply: RecoveryCodes,
  errors: ['conflict'],
  run: ({ body }, caller) => own.confirmOwnTotp(caller, body),
})

export const removeTotp = peopleOperation({
  name: 'totp.remove',
  route: 'DELETE /me/totp',
  about: 'Removes the authenticator app and the recovery codes. A first proof then signs you in.',
  keywords: 'disable two-factor, 2FA off, MFA, lost phone',
  access: 'person',
  fresh: true,
  effect: 'write',
  status: 204,
  errors: [],
  run: (_input, caller) => own.removeOwnTotp(caller),
})

export const renewCodes = peopleOperation({
  name: 'recovery_codes.renew',
  route: 'POST /me/recovery-codes',
  about: 'Replaces your recovery codes. The old ones stop working.',
  keywords: 'backup codes, 2FA, lost codes, new',
  access: 'person',
  fresh: true,
  effect: 'write',
  status: 200,
  reply: RecoveryCodes,
  errors: ['conflict'],
  run: (_input, caller) => own.renewOwnCodes(caller),
})
