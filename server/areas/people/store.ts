/**
 * SQL of people, sign-in links and sessions. Every query names the realm, or a person found in it.
 */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { PeopleTable, SessionsTable } from '../../kernel/database/tables.ts'

export type PersonRow = Selectable<PeopleTable>
export type SessionRow = Selectable<SessionsTable>
export type Realm = PersonRow['realm']

export interface PersonAddress {
  realm: Realm
  email: string
}

export function findPerson(
  db: Reader,
  { realm, email }: PersonAddress,
): Promise<PersonRow | undefined> {
  return db
    .selectFrom('people')
    .selectAll()
    .where('realm', '=', realm)
    .where('email', '=', email)
    .executeTakeFirst()
}

/** The language of mails to a person; English if there is no such person. */
export async function findLanguage(db: Reader, person_id: string): Promise<PersonRow['language']> {
  const row = await db
    .selectFrom('people')
    .select('language')
    .where('id', '=', person_id)
    .executeTakeFirst()
  return row?.language ?? 'en'
}

/** The language of mails to an address; `otherwise` if it has no account in the portal. */
export async function findLanguageOf(
  db: Reader,
  email: string,
  otherwise: PersonRow['language'] = 'en',
): Promise<PersonRow['language']> {
  const person = await findPerson(db, { realm: 'portal', email: email.toLowerCase() })
  return person?.language ?? otherwise
}

export async function setLanguage(
  tx: Transaction,
  { person_id, language }: { person_id: string; language: PersonRow['language'] },
): Promise<void> {
  await tx.updateTable('people').set({ language }).where('id', '=', person_id).execute()
}

/** Finds or creates the person of an address and locks the row until the transaction ends. */
export function upsertPerson(
  tx: Transaction,
  row: PersonAddress & { id: string; created_at: Date },
): Promise<PersonRow> {
  return tx
    .insertInto('people')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .constraint('people_email')
        .doUpdateSet({ email: (row) => row.ref('excluded.email') }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function insertLink(
  tx: Transaction,
  row: PersonAddress & { hash: Buffer; created_at: Date; expires_at: Date },
): Promise<void> {
  await tx.insertInto('sign_in_links').values(row).execute()
}

export function findLink(
  db: Reader,
  { realm, hash, now }: { realm: Realm; hash: Buffer; now: Date },
): Promise<{ email: string } | undefined> {
  return db
    .selectFrom('sign_in_links')
    .select('email')
    .where('realm', '=', realm)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Consumes a link. Exactly one of two concurrent callers gets it. */
export function consumeLink(
  tx: Transaction,
  { realm, hash, now }: { realm: Realm; hash: Buffer; now: Date },
): Promise<{ email: string } | undefined> {
  return tx
    .deleteFrom('sign_in_links')
    .where('realm', '=', realm)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('email')
    .executeTakeFirst()
}

export async function insertSession(
  tx: Transaction,
  row: Insertable<SessionsTable>,
): Promise<void> {
  await tx.insertInto('sessions').values(row).execute()
}

/** Reads a session with its person in one round trip. */
export function findSession(
  db: Reader,
  { realm, hash }: { realm: Realm; hash: Buffer },
): Promise<(PersonRow & { session: SessionRow }) | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .selectAll('people')
    .select([
      'sessions.id as session_id',
      'sessions.hash',
      'sessions.device',
      'sessions.network',
      'sessions.created_at as session_created_at',
      'sessions.seen_at',
      'sessions.fresh_at',
      'sessions.expires_at',
    ])
    .where('people.realm', '=', realm)
    .where('sessions.hash', '=', hash)
    .executeTakeFirst()
    .then((row) => {
      if (!row) return
      const { session_id, hash, device, network, seen_at, fresh_at, expires_at, ...rest } = row
      const { session_created_at: created_at, ...person } = rest
      const times = { created_at, seen_at, fresh_at, expires_at }
      const session = { id: session_id, person_id: person.id, hash, device, network, ...times }
      return { ...person, session }
    })
}

/** Sets the password hash and returns the person's realm and email. */
export function setPassword(
  tx: Transaction,
  { person_id, password_hash }: { person_id: string; password_hash: string },
): Promise<PersonAddress> {
  return tx
    .updateTable('people')
    .set({ password_hash })
    .where('id', '=', person_id)
    .returning(['realm', 'email'])
    .executeTakeFirstOrThrow()
}

export async function setIdentityConfirmed(
  tx: Transaction,
  session: { person_id: string; id: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ fresh_at: session.now })
    .where('person_id', '=', session.person_id)
    .where('id', '=', session.id)
    .execute()
}

/** Returns undefined without an account. */
export function setOperator(
  tx: Transaction,
  { realm, email, is_operator }: { realm: Realm; email: string; is_operator: boolean },
) {
  return tx
    .updateTable('people')
    .set({ is_operator })
    .where('realm', '=', realm)
    .where('email', '=', email)
    .returning(['id', 'email'])
    .executeTakeFirst()
}

/** The addresses of the people who operate the installation, with their languages. */
export function listOperators(db: Reader): Promise<Pick<PersonRow, 'email' | 'language'>[]> {
  return db
    .selectFrom('people')
    .select(['email', 'language'])
    .where('realm', '=', 'portal')
    .where('is_operator', '=', true)
    .orderBy('email')
    .execute()
}

export async function setSeen(
  tx: Transaction,
  session: { person_id: string; id: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ seen_at: session.now })
    .where('person_id', '=', session.person_id)
    .where('id', '=', session.id)
    .execute()
}

export function listSessions(
  db: Reader,
  { person_id, now, idle_since }: { person_id: string; now: Date; idle_since: Date },
): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('person_id', '=', person_id)
    .where('expires_at', '>', now)
    .where('seen_at', '>', idle_since)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function endSession(
  tx: Transaction,
  { person_id, id }: { person_id: string; id: string },
): Promise<boolean> {
  const row = await tx
    .deleteFrom('sessions')
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends every session of a person except one. */
export async function endOtherSessions(
  tx: Transaction,
  { person_id, keep_id }: { person_id: string; keep_id: string },
): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('person_id', '=', person_id)
    .where('id', '<>', keep_id)
    .execute()
}

/** Ends every session of a person. Returns their number. */
export async function endAllSessions(tx: Transaction, person_id: string): Promise<number> {
  const rows = await tx
    .deleteFrom('sessions')
    .where('person_id', '=', person_id)
    .returning('id')
    .execute()
  return rows.length
}

/** Ends all but the newest sessions of a person. */
export async function endOldestSessions(
  tx: Transaction,
  { person_id, keep }: { person_id: string; keep: number },
): Promise<void> {
  const newest = tx
    .selectFrom('sessions')
    .select('id')
    .where('person_id', '=', person_id)
    .orderBy('id', 'desc')
    .limit(keep)
  await tx
    .deleteFrom('sessions')
    .where('person_id', '=', person_id)
    .where('id', 'not in', newest)
    .execute()
}

/** Deletes expired links, sign-ins, invitations and challenges, and expired or idle sessions. */
export async function deleteExpired(
  tx: Transaction,
  { now, idle_since }: { now: Date; idle_since: Date },
): Promise<void> {
  const tables = [
    'sign_in_links',
    'sign_ins',
    'invitations',
    'sign_up_invitations',
    'spent_passkey_challenges',
  ] as const
  for (const table of tables) {
    await tx.deleteFrom(table).where('expires_at', '<=', now).execute()
  }
  await tx
    .deleteFrom('sessions')
    .where(sql<boolean>`expires_at <= ${now} or seen_at <= ${idle_since}`)
    .execute()
}
