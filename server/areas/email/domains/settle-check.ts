/** Decides the status of a sending domain from the results of a check. Pure. */
import { limits } from '../../../contract/limits.ts'
import type { DomainRow, RecordResult } from './domain-store.ts'

export type DomainChange = Pick<
  DomainRow,
  'status' | 'results' | 'verified_at' | 'missing_since' | 'last_checked_at'
> &
  Partial<DomainRow>

export function settleCheck(row: DomainRow, found: RecordResult[], now: Date): DomainChange {
  const switched = switchKey(row, found)
  const results = switched === null ? found : moveToNextKey(found)
  const required = results.filter(({ purpose }) => purpose === 'dkim' || purpose === 'return_path')
  const is = (status: RecordResult['status']) => required.some((one) => one.status === status)
  const base = { results, last_checked_at: now, ...switched }
  if (!is('missing') && !is('invalid') && !is('temporary_failure')) {
    const verified_at = row.status === 'verified' && row.verified_at ? row.verified_at : now
    return { ...base, status: 'verified', verified_at, missing_since: null }
  }
  const { verified_at, missing_since } = row
  const was_verified = row.status === 'verified' || row.status === 'temporary_failure'
  if (!was_verified) return { ...base, status: row.status, verified_at, missing_since }
  if (!is('missing') && !is('invalid')) {
    return { ...base, status: 'temporary_failure', verified_at, missing_since }
  }
  const since = missing_since ?? now
  const is_late = now.getTime() - since.getTime() >= limits.sending_domain_missing_s * 1000
  const status = is_late ? ('failed' as const) : ('temporary_failure' as const)
  return { ...base, status, verified_at, missing_since: since }
}

/** The next key signs from now on if its record is visible. */
function switchKey(row: DomainRow, results: readonly RecordResult[]): Partial<DomainRow> | null {
  const next = results.find(({ purpose }) => purpose === 'next_dkim')
  const { next_dkim_selector, next_dkim_public_key, next_sealed_dkim_key } = row
  if (next?.status !== 'verified' || !next_dkim_selector || !next_dkim_public_key) return null
  if (!next_sealed_dkim_key) return null
  return {
    dkim_selector: next_dkim_selector,
    dkim_public_key: next_dkim_public_key,
    sealed_dkim_key: next_sealed_dkim_key,
    next_dkim_selector: null,
    next_dkim_public_key: null,
    next_sealed_dkim_key: null,
  }
}

/** The result of the next key becomes that of the key. */
function moveToNextKey(found: readonly RecordResult[]): RecordResult[] {
  return found
    .filter(({ purpose }) => purpose !== 'dkim')
    .map((one) => (one.purpose === 'next_dkim' ? { ...one, purpose: 'dkim' as const } : one))
}

/** Whether email can be sent from the domain: a failed look-up does not stop it. */
export function canSend({ status }: Pick<DomainRow, 'status'>): boolean {
  return status === 'verified' || status === 'temporary_failure'
}
