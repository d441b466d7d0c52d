/** SQL of teams. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { ProjectRow } from '../../../contract/caller.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { InvitationsTable, MembersTable } from '../../../kernel/database/tables.ts'

export type MemberRow = Selectable<MembersTable>
type Part = Pick<MemberRow, 'role' | 'access'>

/** A project with the role and limits of one of its members. */
export interface Membership extends Part {
  project: ProjectRow
}

function memberships(db: Reader, person_id: string) {
  return db
    .selectFrom('members')
    .innerJoin('projects', 'projects.id', 'members.project_id')
    .selectAll('projects')
    .select(['members.role as member_role', 'members.access as member_access'])
    .where('members.person_id', '=', person_id)
    .where('projects.deleted_at', 'is', null)
}

type MembershipRow = ProjectRow & { member_role: Part['role']; member_access: Part['access'] }

function membershipOf({ member_role, member_access, ...project }: MembershipRow): Membership {
  return { project, role: member_role, access: member_access }
}

export async function listMemberships(db: Reader, person_id: string): Promise<Membership[]> {
  const rows = await memberships(db, person_id).orderBy('projects.id').execute()
  return rows.map(membershipOf)
}

export async function findMembership(
  db: Reader,
  { project_id, person_id }: { project_id: string; person_id: string },
): Promise<Membership | undefined> {
  const row = await memberships(db, person_id)
    .where('members.project_id', '=', project_id)
    .executeTakeFirst()
  return row && membershipOf(row)
}

/** Condition for projects that name this owner address and have no members. */
function waiting(email: string) {
  return sql`from projects p where lower(p.owner_email) = ${email} and p.deleted_at is null
    and not exists (select from members m where m.project_id = p.id)`
}

export async function isProjectOwner(db: Reader, email: string): Promise<boolean> {
  const { rows } = await sql<{
    found: boolean
  }>`select exists (select ${waiting(email)}) as found`.execute(db)
  return rows[0]?.found === true
}

export async function isInvited(
  db: Reader,
  { email, now }: { email: string; now: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Makes a person the owner of the projects that name their address and have no members. */
export async function claimProjects(
  tx: Transaction,
  { person_id, email, now }: { person_id: string; email: string; now: Date },
): Promise<void> {
  await sql`insert into members (project_id, person_id, role, created_at)
    select p.id, ${person_id}, 'owner', ${now} ${waiting(email)} on conflict do nothing`.execute(tx)
}

export type InvitationRow = Selectable<InvitationsTable>
export type TeamRow = MemberRow & { email: string; name: string | null; language: 'en' | 'nl' }

export function listMembers(db: Reader, project_id: string): Promise<TeamRow[]> {
  return db
    .selectFrom('members')
    .innerJoin('people', 'people.id', 'members.person_id')
    .selectAll('members')
    .select(['people.email', 'people.name', 'people.language'])
    .where('members.project_id', '=', project_id)
    .orderBy('people.email')
    .execute()
}

export function listInvitations(
  db: Reader,
  { project_id, now }: { project_id: string; now: Date },
): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('expires_at', '>', now)
    .orderBy('email')
    .execute()
}

/** Open invitations of an address, with the names of the projects. */
export function listInvitationsTo(
  db: Reader,
  { email, now }: { email: string; now: Date },
): Promise<(InvitationRow & { project_name: string })[]> {
  return db
    .selectFrom('invitations')
    .innerJoin('projects', 'projects.id', 'invitations.project_id')
    .selectAll('invitations')
    .select('projects.name as project_name')
    .where('invitations.email', '=', email)
    .where('invitations.expires_at', '>', now)
    .where('projects.deleted_at', 'is', null)
    .orderBy('invitations.id')
    .execute()
}

/** Inserts an invitation and replaces an open one to the same address. */
export async function insertInvitation(
  tx: Transaction,
  row: Insertable<InvitationsTable>,
): Promise<void> {
  const { project_id, email } = row
  await tx
    .deleteFrom('invitations')
    .where('project_id', '=', project_id)
    .where('email', '=', email)
    .execute()
  await tx.insertInto('invitations').values(row).execute()
}

/** Deletes an invitation and returns it. `email` restricts it to that recipient. */
export function deleteInvitation(
  tx: Transaction,
  { project_id, id, email }: { project_id: string; id: string; email?: string },
): Promise<InvitationRow | undefined> {
  return tx
    .deleteFrom('invitations')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .$if(email !== undefined, (query) => query.where('email', '=', email ?? ''))
    .returningAll()
    .executeTakeFirst()
}

export async function insertMember(tx: Transaction, row: Insertable<MembersTable>): Promise<void> {
  await tx
    .insertInto('members')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function changeMember(
  tx: Transaction,
  { project_id, person_id, ...change }: Updateable<MembersTable> & MemberKey,
): Promise<void> {
  await tx
    .updateTable('members')
    .set(change)
    .where('project_id', '=', project_id)
    .where('person_id', '=', person_id)
    .execute()
}

export async function deleteMember(
  tx: Transaction,
  { project_id, person_id }: MemberKey,
): Promise<void> {
  await tx
    .deleteFrom('members')
    .where('project_id', '=', project_id)
    .where('person_id', '=', person_id)
    .execute()
}

interface MemberKey {
  project_id: string
  person_id: string
}
