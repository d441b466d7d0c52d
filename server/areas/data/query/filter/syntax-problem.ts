/** Syntax errors with positions, in machine-readable fields and as a message. */
import { Problem } from '../../../../contract/errors.ts'

export interface SyntaxFault {
  /** The parameter or field with the text, for example `filter`. */
  parameter: string
  /** From 1. */
  column: number
  expected: string
  /** The unexpected token; undefined at the end of the text. */
  found?: string
  /** The known name that is nearest to an unknown one. */
  suggestion?: string | undefined
}

const FILTER_FORM =
  'Write it as in: status = "open" and (total >= 10 or name contains "x") and created_at > @now - 7d.'

/** Returns a 400 with the position of the error. Columns count code points. */
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
      ...(parameter === 'filter' && { next_step: FILTER_FORM }),
      fields: { parameter, column, expected, ...(meant && { suggestion }) },
    },
  )
}

function shortened(text: string): string {
  const characters = [...text]
  return characters.length > 30 ? `${characters.slice(0, 30).join('')}…` : text
}

/** Converts a UTF-16 offset to a column, counted in code points. */
export function columnAt(text: string, at: number): number {
  return Array.from(text.slice(0, at)).length + 1
}
