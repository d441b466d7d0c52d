/**
 * How tokens are counted where no model counts them: 3.5 characters are one. Tokenizers of today
 * are between 3 and 4 for JSON and English, so budgets and estimates use the same rule.
 */
const CHARACTERS_OF_A_TOKEN = 3.5

export function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_OF_A_TOKEN)
}
