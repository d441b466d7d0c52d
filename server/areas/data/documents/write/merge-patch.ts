/**
 * JSON Merge Patch (RFC 7396): sets named members, removes those that are null, keeps the others.
 */
import { isObject } from '../../../json-schema/service.ts'

/** Returns the patched target. Modifies neither argument. */
export function mergePatch(
  target: unknown,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  // A Map, because a field may be named `__proto__`.
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(merged.get(name), value) : value)
  }
  return Object.fromEntries(merged)
}
