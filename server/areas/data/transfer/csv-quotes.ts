/**
 * Quotes inside a cell that does not begin with one (`Café "De Zwaan"`) are text, as in spreadsheet
 * programs; RFC 4180 leaves them undefined. The parser refuses them, or with relax_quotes accepts
 * text after a closing quote too, which is where broken files show. So they are marked before it,
 * and restored in the cells.
 */

// A noncharacter of Unicode. Where the file has it, it is marked too, so nothing is ambiguous.
const MARK = '\ufdd0'
const QUOTE_MARKED = `${MARK}q`

type State = 'start' | 'spaces' | 'plain' | 'quoted' | 'closing'

/** Marks the quotes that are text. Leaves all others, also those that the parser will refuse. */
export async function* markInnerQuotes(
  text: AsyncIterable<string>,
  separator: string,
): AsyncGenerator<string> {
  let state: State = 'start'
  const ends = new Set([separator, '\n', '\r'])
  for await (const piece of text) {
    const safe = piece.replaceAll(MARK, `${MARK}${MARK}`)
    let marked = ''
    let done = 0
    for (let at = 0; at < safe.length; at += 1) {
      const character = safe[at]!
      if (character === '"' && state === 'plain') {
        marked += safe.slice(done, at) + QUOTE_MARKED
        done = at + 1
      }
      state = after(state, character, ends)
    }
    yield marked + safe.slice(done)
  }
}

function after(state: State, character: string, ends: ReadonlySet<string>): State {
  const is_quote = character === '"'
  if (state === 'quoted') return is_quote ? 'closing' : 'quoted'
  if (state === 'closing' && is_quote) return 'quoted'
  if (ends.has(character)) return 'start'
  if (state === 'start' && is_quote) return 'quoted'
  // A quote after nothing but spaces was meant to open the cell: the parser refuses it.
  const is_space = character === ' ' && (state === 'start' || state === 'spaces')
  return is_space ? 'spaces' : state === 'spaces' && is_quote ? 'spaces' : 'plain'
}

/** The text of a cell as the file has it. */
export function restoreQuotes(cell: string): string {
  if (!cell.includes(MARK)) return cell
  return cell.replaceAll(/\ufdd0([q\ufdd0])/g, (_, kind) => (kind === 'q' ? '"' : MARK))
}
