/** The names that `having` and `sort` of a group query may use: the members of its rows. */
import { writeFieldPath, type FieldPath } from '../../field-path.ts'

/**
 * Returns the path of a row member, or null if the row has no such member. A member name may
 * contain dots (`address.city`).
 */
export function pathInRow(path: FieldPath, names: readonly string[]): FieldPath | null {
  const whole = writeFieldPath(path)
  if (names.includes(whole)) return [whole]
  return path[0] !== undefined && names.includes(path[0]) ? path : null
}

/** Returns examples of row names for error messages. */
export function rowExamples(names: readonly string[]): string {
  return `a name that the rows have: ${names.map((name) => writeFieldPath([name])).join(', ')}`
}
