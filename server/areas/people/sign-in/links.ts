/**
 * One-time sign-in links, created by the operator for the owner of the demo project and for people
 * without working mail. A link counts as one proof, like a mailed code; a second factor is still
 * required.
 */
import { limits } from '../../../contract/limits.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { maySignIn } from './may-sign-in.ts'
import { readEmail } from '../person.ts'
import { acceptLinkProof, type SignInResult } from './proofs.ts'
import { addSeconds, isSessionSecret, createSecret, type Device } from './sessions.ts'
import * as store from '../store.ts'

/** Creates a link and returns its secret; null if the address may not sign in. */
export async function createLink(
  runtime: Runtime,
  { realm, email }: { realm: store.Realm; email: string },
): Promise<string | null> {
  const address = { realm, email: readEmail(email) ?? '' }
  if (!(await maySignIn(runtime.db, address, runtime.clock.now()))) return null
  const secret = createSecret()
  const created_at = runtime.clock.now()
  const expires_at = addSeconds(created_at, limits.sign_in_link_s)
  const link = { ...address, hash: sha256(secret), created_at, expires_at }
  await runtime.db.transact((tx) => store.insertLink(tx, link))
  return secret
}

export function toLinkUrl(public_url: string, secret: string): string {
  return `${public_url}/portal/sign-in/link/${secret}`
}

/** Returns the email address of a link; null if the link is unknown, used or expired. */
export async function findLink(
  runtime: Runtime,
  realm: store.Realm,
  secret: string,
): Promise<{ email: string } | null> {
  if (!isSessionSecret(secret)) return null
  const link = { realm, hash: sha256(secret), now: runtime.clock.now() }
  return (await store.findLink(runtime.db, link)) ?? null
}

/** Signs in with a link and consumes it. Returns null if it is unknown, used or expired. */
export async function signInByLink(
  runtime: Runtime,
  { realm, secret, device }: { realm: store.Realm; secret: string; device: Device },
): Promise<SignInResult | null> {
  if (!isSessionSecret(secret)) return null
  return runtime.db.transact(async (tx) => {
    const found = await store.consumeLink(tx, {
      realm,
      hash: sha256(secret),
      now: runtime.clock.now(),
    })
    if (!found) return null
    return acceptLinkProof(tx, runtime, { address: { realm, email: found.email }, device })
  })
}
