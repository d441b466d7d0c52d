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

export function listVerificationLevels(project: ProjectRow): VerificationLevel[] {
  return [
    { level: 'test', status: 'approved', reason: null, missing: [], unlocks: unlocks.test },
    ...approvedLevels.map((level) => {
      const status = statusOf(project, level)
      const missing = status === 'approved' ? [] : missingFor(project, level)
      return { level, status, reason: null, missing, unlocks: unlocks[level] }
    }),
  ]
}

function statusOf(project: ProjectRow, level: CheckedLevel): 'approved' | 'not_started' {
  return project[`${level}_status`]
}

function missingFor(project: ProjectRow, level: CheckedLevel): string[] {
  const company = project.company_status === 'approved' ? [] : ['level.company']
  switch (level) {
    case 'company':
      return [
        ...(project.card ? [] : ['payment_mandate']),
        ...(project.payment_authenticated ? [] : ['payment_authentication']),
        ...(project.phone_verified ? [] : ['phone_verification']),
      ]
    case 'number_documents':
      return [
        ...company,
        'document.proof_of_address',
        'document.identity',
        ...(project.account_type === 'business' ? ['document.company_registration'] : []),
      ]
    case 'full':
      return [...company, 'director_identity', 'ubo_confirmation', 'review']
  }
}
