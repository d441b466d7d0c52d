/** Finds the translation of a text by a table, in which `…` stands for a part that differs. */
export type Table = Readonly<Record<string, string>>

/** Returns null for a text that the table does not have. */
type Lookup = (text: string) => string | null

export function lookupIn(table: Table): Lookup {
  // The longest first, because a short pattern can match the text of a longer one.
  const patterns = Object.entries(table)
    .filter(([known]) => known.includes('…'))
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([known, translation]) => ({
      pattern: new RegExp(`^${known.split('…').map(escapePattern).join('(.+?)')}$`, 's'),
      translation,
    }))
  return (text) => {
    if (Object.hasOwn(table, text)) return table[text] ?? null
    for (const { pattern, translation } of patterns) {
      const parts = pattern.exec(text)?.slice(1)
      if (parts) return translation.replaceAll('…', () => parts.shift() ?? '')
    }
    return null
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
