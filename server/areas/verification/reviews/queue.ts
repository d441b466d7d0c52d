/** The queue of reviews for operators: list, details and decision. */
import { Problem } from '../../../contract/errors.ts'
import type { PersonCaller } from '../../../contract/people.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import * as projects from '../../projects/service.ts'
import { readDeclaration } from '../documents/declaration.ts'
import * as documents from '../documents/document-store.ts'
import { levelOfKind } from '../documents/evidence.ts'
import type { OperatedVerification, VerificationDecision, VerificationDetail } from '../schema.ts'
import { presentDocument } from '../service.ts'
import { decideReview } from './decide.ts'
import * as store from './review-store.ts'

type Operator = Pick<PersonCaller, 'runtime' | 'db'>

const SHOWN_MAX = 200

export async function listReviews(
  { db }: Operator,
  { open }: { open: boolean },
): Promise<{ data: OperatedVerification[] }> {
  const rows = await store.list(db, { open, id: null, count: SHOWN_MAX })
  return { data: rows.map(present) }
}

function present(row: store.NamedReview): OperatedVerification {
  const { id, project_id, project_name, level, status, reason, submitted_at, decided_at } = row
  return {
    id,
    project_id,
    project_name,
    level,
    status,
    reason,
    submitted_at: submitted_at.toISOString(),
    decided_at: decided_at?.toISOString() ?? null,
  }
}

async function findReview(db: Reader, id: string): Promise<store.NamedReview> {
  const [row] = await store.list(db, { open: false, id, count: 1 })
  if (row) return row
  throw new Problem('not_found', 'There is no verification with this id.')
}

export async function showReview(caller: Operator, id: string): Promise<VerificationDetail> {
  const { db, runtime } = caller
  const row = await findReview(db, id)
  const project = await projects.find(db, row.project_id)
  if (!project) throw new Problem('not_found', 'The project was deleted.')
  const company = await projects.findCompany(db, project.id)
  const round = { project_id: project.id, round: row.round }
  const is_full = row.level === 'full'
  const found = row.level === 'company' ? [] : await documents.list(db, round)
  const declaration = is_full ? await documents.findDeclaration(db, round) : undefined
  const { address, contact } = company ?? {}
  return {
    ...present(row),
    company: {
      account_type: project.account_type,
      owner_email: project.owner_email,
      company_name: company?.company_name ?? null,
      register_number: company?.kvk_number ?? company?.registration_number ?? null,
      address: address
        ? `${address.street} ${address.house_number}, ${address.postal_code} ${address.city}, ${address.country}`
        : null,
      contact: contact ? `${contact.name}, ${contact.phone}` : null,
    },
    documents: found.filter(({ kind }) => levelOfKind(kind) === row.level).map(presentDocument),
    declaration: declaration ? readDeclaration(runtime, declaration) : null,
    can_ask_for: projects.listEvidence(project, row.level),
  }
}

export async function decide(
  caller: Operator,
  id: string,
  { decision: status, reason: given, ask_again }: VerificationDecision,
): Promise<VerificationDetail> {
  const { db, runtime } = caller
  const reason = given?.trim() || null
  if (status === 'rejected' && reason === null) {
    throw invalid('/reason', 'Write why it is rejected, and how to fix it.')
  }
  const { project_id, level } = await findReview(db, id)
  const project = await projects.find(db, project_id)
  const all = project ? projects.listEvidence(project, level) : []
  const others = (ask_again ?? []).filter((code) => !all.some((known) => known === code))
  if (others.length > 0)
    throw invalid('/ask_again', `Only these can be asked for again: ${all.join(', ')}.`)
  const wanted = all.filter((code) => ask_again === undefined || ask_again.includes(code))
  const refused = status === 'rejected' ? wanted : []
  const decided = await db.transact((tx) =>
    decideReview(tx, runtime, { project_id, id, status, reason, ask_again: refused }),
  )
  if (decided === 'company_first')
    throw conflict('Approve the level company of this project first.')
  if (decided === 'ended') throw conflict('This was decided or withdrawn meanwhile.')
  return showReview(caller, id)
}

function conflict(user_message: string): Problem {
  return new Problem('conflict', user_message, { user_message })
}

function invalid(path: string, message: string): Problem {
  return new Problem('validation_failed', message, {
    errors: [{ path, message }],
    user_message: message,
  })
}
