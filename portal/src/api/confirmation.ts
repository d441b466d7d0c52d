/**
 * Confirms the person's identity without leaving the page, so that what is typed there stays. It sends
 * the forms of the server's own page `/portal/confirm`, which keep their secret in a cookie.
 */
import { queryOptions } from '@tanstack/react-query'
import { reach } from './batch.ts'
import { api, ApiProblem, read, type Schemas } from './client.ts'

export type Ways = Schemas['MeConfirmationReply']

/**
 * `confirmed`: done. `second`: the code of the authenticator app is needed too. `refused`: the proof is
 * wrong, or was asked for too long ago.
 */
export type Outcome = 'confirmed' | 'second' | 'refused'

/** Read again each time, because the question for a passkey is valid once. */
export const waysQuery = queryOptions({
  queryKey: ['confirmation'],
  queryFn: ({ signal }) => read(api.GET('/me/confirmation', { signal })),
  gcTime: 0,
  staleTime: 0,
})

/** Where a form leads when the identity is confirmed. */
const DONE = '/portal/api/v1/me'
const SECOND = '/portal/sign-in/second'
const REFUSED = 422

async function post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const body = new URLSearchParams({ ...fields, next: DONE })
  const response = await reach(path, { method: 'POST', body })
  const { pathname } = new URL(response.url)
  if (response.ok && pathname === DONE) return 'confirmed'
  if (response.ok && pathname === SECOND) return 'second'
  if (response.ok || response.status === REFUSED) return 'refused'
  throw new ApiProblem({}, response.status)
}

export async function confirmByPassword(password: string): Promise<Outcome> {
  await post('/portal/confirm')
  return post('/portal/sign-in/password', { password })
}

/** Asks the browser for a passkey. Throws if the person cancels. */
export async function confirmByPasskey(passkey: NonNullable<Ways['passkey']>): Promise<Outcome> {
  // The type of the copy is open: the server writes the options as WebAuthn defines them.
  const options = JSON.parse(JSON.stringify(passkey.options))
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const response = JSON.stringify(await navigator.credentials.get({ publicKey }))
  return post('/portal/confirm/passkey', { response })
}

/** Whether this browser can answer the question at this address. */
export function canUsePasskey(passkey: Ways['passkey']): passkey is NonNullable<Ways['passkey']> {
  return (
    passkey?.origin === location.origin &&
    typeof PublicKeyCredential === 'function' &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  )
}

export async function mailCode(): Promise<void> {
  await post('/portal/confirm')
  await post('/portal/sign-in/code/send')
}

export function confirmByCode(code: string): Promise<Outcome> {
  return post('/portal/sign-in/code', { code })
}

/** The code of the authenticator app, or a recovery code. */
export function confirmBySecond(code: string): Promise<Outcome> {
  return post(SECOND, { code })
}
