/** Combines the limits of a key or connection with the limits of its person. */
import type { Access } from '../caller.ts'
import { intersection } from './limited-to.ts'

/**
 * The intersection of both; null means the whole project. `limited_by` is that of the first limit.
 */
export function bothAllow(one: Access | null, other: Access | null): Access | null {
  if (one === null || other === null) return one ?? other
  return { ...intersection(one, other), limited_by: one.limited_by }
}

/** The wording of a refusal for a limited key or member. */
export function wordsOfLimit({ limited_by }: Pick<Access, 'limited_by'>): LimitWords {
  if (limited_by !== 'member') return { it: 'This key', who: 'This connection', advice: {} }
  return { it: 'This member', who: 'You', advice: { next_step: askTheOwner } }
}

interface LimitWords {
  it: string
  who: string
  advice: { next_step?: string }
}

export const askTheOwner = 'Ask an owner or admin of the project to do it, or for another role.'
