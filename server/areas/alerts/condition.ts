/** What a check finds out. */
import type { AlertRow } from './store.ts'

export type AlertKind = AlertRow['kind']
export const alertKinds = [
  'provider',
  'queue',
  'failed_jobs',
  'disk',
  'certificate',
  'backup',
] as const satisfies readonly AlertKind[]

/** Something that needs the operator if it lasts. */
export interface Condition {
  kind: AlertKind
  /** What it is about, such as a provider; empty if there is only one. */
  subject: string
  /** Numbers and names for the texts; times in ISO 8601. */
  detail: Record<string, string | number>
}

export interface Findings {
  holding: readonly Condition[]
  /** Whether nothing is known about a condition, because its check did not work or runs elsewhere. */
  isUnknown(condition: Pick<Condition, 'kind' | 'subject'>): boolean
}
