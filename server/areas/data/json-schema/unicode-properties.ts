/**
 * Unicode properties as ECMA-262 names them, in the names that the engine of patterns knows: a
 * general category by its short name, a script by its long one.
 */
const categories: Readonly<Record<string, string>> = {
  Cased_Letter: 'LC',
  Close_Punctuation: 'Pe',
  Connector_Punctuation: 'Pc',
  Control: 'Cc',
  cntrl: 'Cc',
  Currency_Symbol: 'Sc',
  Dash_Punctuation: 'Pd',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Enclosing_Mark: 'Me',
  Final_Punctuation: 'Pf',
  Format: 'Cf',
  Initial_Punctuation: 'Pi',
  Letter: 'L',
  Letter_Number: 'Nl',
  Line_Separator: 'Zl',
  Lowercase_Letter: 'Ll',
  Mark: 'M',
  Combining_Mark: 'M',
  Math_Symbol: 'Sm',
  Modifier_Letter: 'Lm',
  Modifier_Symbol: 'Sk',
  Nonspacing_Mark: 'Mn',
  Number: 'N',
  Open_Punctuation: 'Ps',
  Other: 'C',
  Other_Letter: 'Lo',
  Other_Number: 'No',
  Other_Punctuation: 'Po',
  Other_Symbol: 'So',
  Paragraph_Separator: 'Zp',
  Private_Use: 'Co',
  Punctuation: 'P',
  punct: 'P',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Spacing_Mark: 'Mc',
  Symbol: 'S',
  Titlecase_Letter: 'Lt',
  Uppercase_Letter: 'Lu',
}

const shortNames = new Set(Object.values(categories))

/** Null for what has no counterpart: binary properties other than general categories. */
export function unicodeProperty(name: string): string | null {
  const [kind, value, ...rest] = name.split('=')
  if (rest.length > 0 || kind === undefined) return null
  if (value === undefined) return category(kind)
  if (kind === 'General_Category' || kind === 'gc') return category(value)
  if (kind === 'Script' || kind === 'sc') return /^[A-Z][A-Za-z_]+$/.test(value) ? value : null
  return null
}

function category(name: string): string | null {
  if (shortNames.has(name)) return name
  return Object.hasOwn(categories, name) ? (categories[name] ?? null) : null
}
