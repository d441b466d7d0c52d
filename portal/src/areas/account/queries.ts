/** The sign-in methods and the sessions of the signed-in person. */
import { queryOptions } from '@tanstack/react-query'
import { api, read, type Schemas } from '../../api/client.ts'

export type Session = Schemas['SessionsListReply']['data'][number]
export type Passkey = Schemas['PasskeysRenameReply']
export type TotpSetup = Schemas['TotpBeginReply']

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await read(api.GET('/sessions', { signal }))).data,
})

export function endSession(session_id: string) {
  return read(api.DELETE('/sessions/{session_id}', { params: { path: { session_id } } }))
}

export function savePassword(password: string) {
  return read(api.PUT('/me/password', { body: { password } }))
}

export function saveName(name: string) {
  return read(api.PATCH('/me', { body: { name } }))
}

export type EmailChange = Schemas['MeAskEmailReply']

/** Mails a code to a new address. */
export function askEmail(email: string) {
  return read(api.POST('/me/email-change', { body: { email } }))
}

export function changeEmail(body: { id: string; email: string; code: string }) {
  return read(api.PUT('/me/email', { body }))
}

export function deleteAccount(confirm: string) {
  return read(api.DELETE('/me', { params: { query: { confirm } } }))
}

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => read(api.GET('/passkeys', { signal })),
})

/** Asks the browser to create a passkey, and stores it. */
export async function addPasskey(name: string): Promise<void> {
  const { options } = await read(api.POST('/passkeys/options', {}))
  const response = JSON.stringify(await createCredential(options))
  await read(api.POST('/passkeys', { body: { name, response } }))
}

function structuredOf(options: object) {
  return JSON.parse(JSON.stringify(options))
}

async function createCredential(options: Schemas['PasskeysBeginReply']['options']) {
  // The type of the copy is open: the server writes the options as WebAuthn defines them.
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(structuredOf(options))
  return navigator.credentials.create({ publicKey })
}

/** Whether this browser can create passkeys. */
export const createsPasskeys =
  typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential

export function renamePasskey(passkey_id: string, name: string) {
  const params = { path: { passkey_id } }
  return read(api.PATCH('/passkeys/{passkey_id}', { params, body: { name } }))
}

export function removePasskey(passkey_id: string) {
  return read(api.DELETE('/passkeys/{passkey_id}', { params: { path: { passkey_id } } }))
}

export function beginTotp() {
  return read(api.POST('/me/totp/setup', {}))
}

export function confirmTotp(body: Schemas['TotpConfirmBody']) {
  return read(api.PUT('/me/totp', { body }))
}

export function removeTotp() {
  return read(api.DELETE('/me/totp', {}))
}

export function renewRecoveryCodes() {
  return read(api.POST('/me/recovery-codes', {}))
}
