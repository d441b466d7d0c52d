/** What is wrong with a text such as a filter, and where: for the program and for the person. */
import { Problem } from '../../../contract/errors.ts'

export interface SyntaxFault {
  /** The parameter or field that holds the text, for example `filter`. */
  parameter: string
  /** The first character is 1. */
  column: number
  expected: string
  /** What stands there instead; left out where nothing does. */
  found?: string
  /** The known name that was probably meant. */
  suggestion?: string | undefined
}

/** Points into the text of a parameter. Columns count characters as a person sees them written. */
export function syntaxProblem(fault: SyntaxFault): Problem {
  const { parameter, column, expected, found, suggestion } = fault
  const meant = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  const instead = found === undefined ? '' : `, not ${shortened(found)}`
  const place = `at character ${column}`
  return new Problem(
    'invalid_parameter',
    `${parameter} cannot be read ${place}: expected ${expected}${instead}.${meant}`,
    {
      user_message: `The ${parameter} is not understood ${place}: it needs ${expected} there.${meant}`,
      fields: { parameter, column, expected, ...(meant && { suggestion }) },
    },
  )
}

function shortened(text: string): string {
  const characters = [...text]
  return characters.length > 30 ? `${characters.slice(0, 30).join('')}…` : text
}

/** The column of a place in a text, which is counted in UTF-16 units. */
export function columnAt(text: string, at: number): number {
  return Array.from(text.slice(0, at)).length + 1
}
