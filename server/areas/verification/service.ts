/** Verification of a project: its state, and the parts that other modules call. */
import type { ProjectRow } from '../../contract/caller.ts'
import type { MemberCaller } from '../../contract/people.ts'
import * as projects from '../projects/service.ts'
import * as documents from './documents/document-store.ts'
import { saveDeclaration } from './documents/declaration.ts'
import { removeDocument } from './documents/documents.ts'
import { canSendCodes, confirmPhone } from './phone/phone.ts'
import { maskPhone } from './phone/phone-numbers.ts'
import { findConfirmed } from './phone/phone-store.ts'
import { hasFunds, submitLevel, findChecker, withdrawLevel } from './reviews/submit.ts'
import type { Declaration, Document, PhoneProof, Verification } from './schema.ts'

export {
  openDocument,
  receiveDocument,
  toDocumentKey,
  type OpenedDocument,
} from './documents/documents.ts'

type MemberContext = Pick<MemberCaller, 'runtime' | 'db' | 'project'>

export async function showVerification({
  runtime,
  db,
  project,
}: MemberContext): Promise<Verification> {
  const missing = await projects.listMissingCompanyDetails(db, project)
  const { account_type, phone_verified, card, payment_authenticated } = project
  const round = { project_id: project.id, round: project.verification_round }
  const confirmed = await findConfirmed(db, project.id)
  const declaration = await documents.findDeclaration(db, round)
  return {
    account_type,
    phone_verified,
    phone: confirmed === null ? null : maskPhone(confirmed),
    can_send_codes: canSendCodes(runtime),
    card,
    has_funds: await hasFunds(db, project),
    payment_authenticated,
    company: { complete: missing.length === 0, missing },
    checked_by: await findChecker(db, runtime, project),
    documents: (await documents.list(db, round)).map(presentDocument),
    declared_at: declaration && !declaration.refused ? declaration.created_at.toISOString() : null,
    kept_days: runtime.config.verification_kept_days,
    levels: projects.listVerificationLevels(project),
  }
}

export function presentDocument(row: documents.DocumentRow): Document {
  return {
    id: row.id,
    kind: row.kind,
    filename: row.filename,
    bytes: row.bytes,
    uploaded_at: (row.received_at ?? row.created_at).toISOString(),
    delete_at: row.delete_at?.toISOString() ?? null,
    refused: row.refused,
  }
}

/** Waits for a change, and returns the new state. */
async function showAfter(caller: MemberCaller, change: Promise<void>): Promise<Verification> {
  await change
  const project: ProjectRow = (await projects.find(caller.db, caller.project.id)) ?? caller.project
  return showVerification({ ...caller, project })
}

export function confirm(caller: MemberCaller, proof: PhoneProof): Promise<Verification> {
  return showAfter(caller, confirmPhone(caller, proof))
}

export function remove(caller: MemberCaller, id: string): Promise<Verification> {
  return showAfter(caller, removeDocument(caller, id))
}

export function declare(caller: MemberCaller, declaration: Declaration): Promise<Verification> {
  return showAfter(caller, saveDeclaration(caller, declaration))
}

export function submit(caller: MemberCaller, level: projects.CheckedLevel): Promise<Verification> {
  return showAfter(caller, submitLevel(caller, level))
}

export function withdraw(
  caller: MemberCaller,
  level: projects.CheckedLevel,
): Promise<Verification> {
  return showAfter(caller, withdrawLevel(caller, level))
}
