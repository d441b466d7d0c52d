export type FieldWord =
  | 'required'
  | 'invalid'
  | 'number'
  | 'integer'
  | 'email'
  | 'url'
  | 'date'
  | 'enum'
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
/** In the order of `languages`. */
export const words: Readonly<Record<FieldWord, readonly string[]>>
export const languages: readonly ['en', 'nl', 'de', 'fr', 'es']
