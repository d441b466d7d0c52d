/**
 * Sessions. The browser holds 32 random bytes, the database their SHA-256. A session ends at
 * sign-out, after a week without use, or after a month. Each sign-in opens a new one, which
 * prevents session fixation.
 */
import { randomBytes } from 'node:crypto'
import { limits } from '../../../contract/limits.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { MailLanguage } from '../../../providers/mail/mail-contract.ts'
import { present, type Person } from '../person.ts'
import * as store from '../store.ts'
import * as team from '../team/team-store.ts'

const SECRET_BYTES = 32
const SECRET_CHARACTERS = 43
const secretPattern = new RegExp(`^[\\w-]{${SECRET_CHARACTERS}}$`)
/** Interval in which `seen_at` is updated. */
const SEEN_MS = 300_000

/** The browser and network of a sign-in. */
export interface Device {
  /** From the User-Agent header. */
  name: string
  /** The part of the IP address that a visitor cannot vary freely, such as the /64 prefix. */
  network: string
  /** The preferred language, for mails. */
  language: MailLanguage
}

/** The session of a request, and its person. */
export interface SessionOwner {
  session_id: string
  person: Pick<Person, 'id' | 'email'>
}

/** A signed-in person. */
export interface SignedIn {
  session_id: string
  person: Person
  /** The stored language of the person. */
  language: MailLanguage
  /** Whether the person confirmed their identity recently. */
  fresh: boolean
}

export interface SessionFacts {
  id: string
  device: string
  network: string
  created_at: Date
  seen_at: Date
  current: boolean
}

const DEVICE_CHARACTERS_MAX = 300

export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** Whether a text has the form of a session secret. */
export function isSessionSecret(text: string): boolean {
  return secretPattern.test(text)
}

/** Opens a session after all required proofs. Returns its secret. */
export async function openSession(
  tx: Transaction,
  runtime: Runtime,
  { person, device }: { person: store.PersonRow; device: Device },
): Promise<string> {
  const secret = createSecret()
  const now = runtime.clock.now()
  const { id: person_id, email } = person
  await store.insertSession(tx, {
    id: newId(runtime.clock),
    hash: sha256(secret),
    person_id,
    device: device.name.slice(0, DEVICE_CHARACTERS_MAX),
    network: device.network,
    created_at: now,
    seen_at: now,
    fresh_at: now,
    expires_at: addSeconds(now, limits.session_s),
  })
  if (person.language !== device.language) {
    await store.setLanguage(tx, { person_id, language: device.language })
  }
  await store.endOldestSessions(tx, { person_id, keep: limits.sessions_max })
  await team.claimProjects(tx, { person_id, email, now })
  return secret
}

/** Authenticates a session secret; null if it is unknown or the session has ended. */
export async function authenticateSession(
  runtime: Runtime,
  realm: store.Realm,
  secret: string | undefined,
): Promise<SignedIn | null> {
  if (secret === undefined || !isSessionSecret(secret)) return null
  const found = await store.findSession(runtime.db, { realm, hash: sha256(secret) })
  if (!found) return null
  const { session, ...person } = found
  const now = runtime.clock.now()
  if (session.expires_at <= now || session.seen_at <= idleLimit(now)) return null
  if (now.getTime() - session.seen_at.getTime() > SEEN_MS) {
    const { id } = session
    await runtime.db.transact((tx) => store.setSeen(tx, { person_id: person.id, id, now }))
  }
  const fresh = addSeconds(session.fresh_at, limits.session_fresh_s) > now
  const { language } = person
  return { session_id: session.id, person: present(person), language, fresh }
}

/** Returns the sessions of a person, last used first. */
export async function listSessions(
  db: Reader,
  runtime: Runtime,
  signed_in: { session_id: string; person: Pick<Person, 'id'> },
): Promise<SessionFacts[]> {
  const now = runtime.clock.now()
  const person_id = signed_in.person.id
  const rows = await store.listSessions(db, { person_id, now, idle_since: idleLimit(now) })
  return rows.map(({ id, device, network, created_at, seen_at }) => {
    return { id, device, network, created_at, seen_at, current: id === signed_in.session_id }
  })
}

/** Ends a session of the person. Returns false if they have no such session. */
export function endSession(
  runtime: Runtime,
  { person }: { person: Pick<Person, 'id'> },
  id: string,
): Promise<boolean> {
  return runtime.db.transact((tx) => store.endSession(tx, { person_id: person.id, id }))
}

export function idleLimit(now: Date): Date {
  return addSeconds(now, -limits.session_idle_s)
}

export function addSeconds(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000)
}
