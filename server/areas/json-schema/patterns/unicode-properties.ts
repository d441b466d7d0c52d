/** Names in RE2 of the Unicode properties of ECMA-262: short general categories and scripts. */
const categories = new Map<string, string>()
const names =
  'L Letter,LC Cased_Letter,Ll Lowercase_Letter,Lm Modifier_Letter,Lo Other_Letter,' +
  'Lt Titlecase_Letter,Lu Uppercase_Letter,M Mark Combining_Mark,Mc Spacing_Mark,' +
  'Me Enclosing_Mark,Mn Nonspacing_Mark,N Number,Nd Decimal_Number digit,Nl Letter_Number,' +
  'No Other_Number,P Punctuation punct,Pc Connector_Punctuation,Pd Dash_Punctuation,' +
  'Pe Close_Punctuation,Pf Final_Punctuation,Pi Initial_Punctuation,Po Other_Punctuation,' +
  'Ps Open_Punctuation,S Symbol,Sc Currency_Symbol,Sk Modifier_Symbol,Sm Math_Symbol,' +
  'So Other_Symbol,Z Separator,Zl Line_Separator,Zp Paragraph_Separator,Zs Space_Separator,' +
  'C Other,Cc Control cntrl,Cf Format,Co Private_Use'
for (const line of names.split(',')) {
  const [short = '', ...others] = line.split(' ')
  for (const name of [short, ...others]) categories.set(name, short)
}

/** Returns null for properties that RE2 does not support, such as most binary ones. */
export function unicodeProperty(name: string): string | null {
  const [, key, value = name] = /^([A-Za-z_]+)=(.*)$/s.exec(name) ?? []
  if (key === 'Script' || key === 'sc') return /^[A-Z][A-Za-z_]+$/.test(value) ? value : null
  const is_category = key === undefined || key === 'General_Category' || key === 'gc'
  return is_category ? (categories.get(value) ?? null) : null
}
