/** The alphabet of GSM 03.38: seven bits a character. Characters of the extension take two. */

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension = '^{}\\[~]|€\f'

const septets = new Map<string, 1 | 2>([
  ...Array.from(basic, (letter) => [letter, 1] as const),
  ...Array.from(extension, (letter) => [letter, 2] as const),
])

/** The size of a character in septets; null if it is outside the alphabet. */
export function countSeptets(letter: string): 1 | 2 | null {
  return septets.get(letter) ?? null
}

export function isGsm7(text: string): boolean {
  for (const letter of text) if (!septets.has(letter)) return false
  return true
}
