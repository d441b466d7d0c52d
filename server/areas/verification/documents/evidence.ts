/** Which evidence a project has given, kept on the row of the project for GET /project. */
import type { ProjectRow } from '../../../contract/caller.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import * as projects from '../../projects/service.ts'
import * as store from './document-store.ts'

const documentKinds = [
  'proof_of_address',
  'identity',
  'company_registration',
  'director_identity',
] as const satisfies readonly store.DocumentKind[]

/** The level that a document is reviewed for. */
export function levelOfKind(kind: store.DocumentKind): 'number_documents' | 'full' {
  return kind === 'director_identity' ? 'full' : 'number_documents'
}

export function kindsOfLevel(level: projects.CheckedLevel): store.DocumentKind[] {
  return documentKinds.filter((kind) => levelOfKind(kind) === level)
}

/** The document that proves this requirement; null for the declaration. */
export function kindOfEvidence(code: projects.EvidenceCode): store.DocumentKind | null {
  switch (code) {
    case 'document.proof_of_address':
      return 'proof_of_address'
    case 'document.identity':
      return 'identity'
    case 'document.company_registration':
      return 'company_registration'
    case 'director_identity':
      return 'director_identity'
    case 'ubo_confirmation':
      return null
  }
}

/** Writes the given evidence of a locked project. */
export async function updateEvidence(
  tx: Transaction,
  { id: project_id, verification_round: round }: ProjectRow,
): Promise<void> {
  const documents = await store.list(tx, { project_id, round })
  const declaration = await store.findDeclaration(tx, { project_id, round })
  const kinds = new Set(documents.filter(({ refused }) => !refused).map(({ kind }) => kind))
  const given = projects.evidenceCodes.filter((code) => {
    const kind = kindOfEvidence(code)
    return kind === null ? declaration?.refused === false : kinds.has(kind)
  })
  await projects.setEvidence(tx, project_id, given)
}
