/** Times as PostgreSQL writes them. Where it keeps to UTC they are read digit by digit. */
import pg from 'pg'

const parseAny: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
const ZERO = 48

/** `2026-11-02 09:00:00.123+00` and, the slow way, whatever else it may write. */
export function parseTime(text: string): Date {
  const { length } = text
  const fraction = length - 22
  const is_usual =
    text.endsWith('+00') &&
    text[4] === '-' &&
    text[0] !== '0' &&
    (length === 22 || (text[19] === '.' && fraction < 8))
  if (!is_usual) return parseAny(text)
  const milliseconds = length === 22 ? 0 : millisecondsOf(text, Math.min(fraction - 1, 3))
  return new Date(
    Date.UTC(
      100 * two(text, 0) + two(text, 2),
      two(text, 5) - 1,
      two(text, 8),
      two(text, 11),
      two(text, 14),
      two(text, 17),
      milliseconds,
    ),
  )
}

function two(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - ZERO) + text.charCodeAt(at + 1) - ZERO
}

/** What is finer is cut off, as it always was. */
function millisecondsOf(text: string, digits: number): number {
  let value = 0
  for (let at = 0; at < 3; at += 1) {
    value = 10 * value + (at < digits ? text.charCodeAt(20 + at) - ZERO : 0)
  }
  return value
}
