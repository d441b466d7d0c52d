/** Combines the limits of a key or connection with the limits of its person. */
import type { Access } from './caller.ts'
import { intersectAllowed } from './limited-to.ts'

/**
 * Returns the intersection of two limits; null means the whole project. `limited_by` is that of the
 * first limit.
 */
export function intersectAccess(one: Access | null, other: Access | null): Access | null {
  if (one === null || other === null) return one ?? other
  return { ...intersectAllowed(one, other), limited_by: one.limited_by }
}

/** Returns the words with which a refusal names a limited key or member. */
export function describeLimit({ limited_by }: Pick<Access, 'limited_by'>): LimitWords {
  if (limited_by !== 'member') return { it: 'This key', who: 'This connection', advice: {} }
  return { it: 'This member', who: 'You', advice: { next_step: askTheOwnerStep } }
}

interface LimitWords {
  it: string
  who: string
  advice: { next_step?: string }
}

export const askTheOwnerStep = 'Ask an owner or admin of the project to do it, or for another role.'
