/** JSON Merge Patch (RFC 7396): what is named is set, what is null is removed, the rest stays. */

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The target with the patch applied. Neither is changed. */
export function mergePatch(
  target: unknown,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  // A map, because a field may be called `__proto__`.
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(merged.get(name), value) : value)
  }
  return Object.fromEntries(merged)
}
