/**
 * Verification levels: what each misses and unlocks, computed from facts of the project
 * (specification: Verification level object). Pure.
 */
import type { ProjectRow } from '../../contract/caller.ts'
import type { VerificationLevel } from './schema.ts'

export const railNames = ['phone', 'outbound', 'sms', 'email', 'payments', 'domains'] as const
export type RailName = (typeof railNames)[number]

/** The levels that need an approval. The level `test` needs none. */
export const approvedLevels = ['company', 'number_documents', 'full'] as const
export type CheckedLevel = (typeof approvedLevels)[number]

const unlocks = {
  test: ['test_keys', 'test_numbers', 'simulated_calls'],
  company: ['live_keys', 'national_numbers', 'inbound_calls'],
  number_documents: ['geographic_numbers'],
  full: ['outbound_calls', 'spending_cap_above_500_eur', 'more_concurrent_calls'],
}

/** The kinds of evidence that a project gives, by the names in `missing`. */
export const evidenceCodes = [
  'document.proof_of_address',
  'document.identity',
  'document.company_registration',
  'director_identity',
  'ubo_confirmation',
] as const
export type EvidenceCode = (typeof evidenceCodes)[number]

export function listVerificationLevels(project: ProjectRow): VerificationLevel[] {
  return [
    { level: 'test', status: 'approved', reason: null, missing: [], unlocks: unlocks.test },
    ...approvedLevels.map((level) => {
      const status = project[`${level}_status`]
      const reason = status === 'rejected' ? project[`${level}_reason`] : null
      const missing = status === 'approved' ? [] : missingFor(project, level)
      return { level, status, reason, missing, unlocks: unlocks[level] }
    }),
  ]
}

/** The evidence that a level needs, given or not. */
export function listEvidence(
  { account_type }: Pick<ProjectRow, 'account_type'>,
  level: CheckedLevel,
): EvidenceCode[] {
  switch (level) {
    case 'company':
      return []
    case 'number_documents':
      return [
        'document.proof_of_address',
        'document.identity',
        ...(account_type === 'business' ? (['document.company_registration'] as const) : []),
      ]
    case 'full':
      return ['director_identity', 'ubo_confirmation']
  }
}

function missingFor(project: ProjectRow, level: CheckedLevel): string[] {
  const company = project.company_status === 'approved' ? [] : ['level.company']
  const evidence = listEvidence(project, level).filter(
    (code) => !project.verification_given.includes(code),
  )
  switch (level) {
    case 'company':
      return [
        ...(project.card ? [] : ['payment_mandate']),
        ...(project.payment_authenticated ? [] : ['payment_authentication']),
        ...(project.phone_verified ? [] : ['phone_verification']),
      ]
    case 'number_documents':
      return [...company, ...evidence]
    case 'full':
      return [...company, ...evidence, 'review']
  }
}
