/** What `having` and `sort` of a query may name: the members that each of its rows has. */
import { writeFieldPath, type FieldPath } from '../field-path.ts'

/** Where in a row a path leads, null when it names no member: `address.city` may be one by itself. */
export function pathInRow(path: FieldPath, names: readonly string[]): FieldPath | null {
  const whole = writeFieldPath(path)
  if (names.includes(whole)) return [whole]
  return path[0] !== undefined && names.includes(path[0]) ? path : null
}

/** What is expected where a name should be. */
export function rowExamples(names: readonly string[]): string {
  return `a name that the rows have: ${names.map((name) => writeFieldPath([name])).join(', ')}`
}
