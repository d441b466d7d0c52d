/** The input of an act of an operator, as the audit log stores it: bounded, and without secrets. */
const secret = /password|secret|token|^key$|^link$/i
const TEXT_CHARACTERS_MAX = 500
const FIELDS_MAX = 40

export type ActInput = Record<string, unknown>

/** Merges the fields of parameters, body or options. Leaves out secrets and absent fields. */
export function inputOf(...parts: readonly unknown[]): ActInput {
  const fields = parts.flatMap((part) => Object.entries(Object(part)))
  const known = fields.filter(([name, value]) => value !== undefined && !secret.test(name))
  return Object.fromEntries(known.slice(0, FIELDS_MAX).map(([name, value]) => [name, short(value)]))
}

function short(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === undefined) return null
  if (text.length <= TEXT_CHARACTERS_MAX) return value
  return `${text.slice(0, TEXT_CHARACTERS_MAX)}…`
}
