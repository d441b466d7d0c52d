/** JSON values that are edited without mutation, at JSON pointers. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}
export type Path = readonly (string | number)[]

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

export function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let at: Json | undefined = value
  for (const part of path) {
    if (isList(at)) at = at[Number(part)]
    else if (isObject(at)) at = Object.hasOwn(at, part) ? at[String(part)] : undefined
    else return undefined
  }
  return at
}

/**
 * Returns a copy with the value at a path replaced; undefined removes it. Missing objects on the way
 * are created. Keys keep their order.
 */
export function withValue(value: Json | undefined, path: Path, next: Json | undefined): Json {
  const [part, ...rest] = path
  if (part === undefined) return next ?? null
  if (isList(value)) {
    const index = Number(part)
    if (rest.length === 0 && next === undefined) return value.filter((_item, at) => at !== index)
    const changed = withValue(value[index], rest, next)
    return index >= value.length ? [...value, changed] : value.with(index, changed)
  }
  const holder = isObject(value) ? value : {}
  if (rest.length === 0 && next === undefined) {
    return Object.fromEntries(Object.entries(holder).filter(([key]) => key !== String(part)))
  }
  return { ...holder, [part]: withValue(holder[String(part)], rest, next) }
}

/** Whether two values are the same, whatever the order of their keys. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: Json | undefined): Json | undefined {
  if (isList(value)) return value.map((item) => sorted(item) ?? null)
  if (!isObject(value)) return value
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key]) ?? null]))
}
