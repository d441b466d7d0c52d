/** The words of a sentence that can name a record. */

const fillers = new Set(
  (
    'the and for with that this what which who where when how many much have has had are was were does ' +
    'did can could would should our your you show find list give tell all any some new about from into ' +
    'there please want need make create add delete remove change set get een het van voor met dat deze ' +
    'die wat welke wie waar wanneer hoe hoeveel heb heeft hebben zijn was kan kun zou mijn onze ons jouw ' +
    'toon laat zien zoek vind geef alle nieuw nieuwe over naar uit wil graag maak voeg toe verwijder ' +
    'wijzig not niet who not'
  ).split(' '),
)

const WORDS_MAX = 12

export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Words of three letters or more that are not common, folded. */
export function nameWords(text: string): string[] {
  const words = fold(text).match(/[\p{L}\d][\p{L}\d@.+-]*[\p{L}\d]/gu) ?? []
  const kept = words.filter((word) => word.length > 2 && !fillers.has(word))
  return [...new Set(kept)].slice(0, WORDS_MAX)
}

/**
 * The part of a sentence that is likely a name or a value, for a search in contents: quoted text, an
 * e-mail address, a number with several digits, or capitalised words after the first. Null if none.
 */
export function likelyName(text: string): string | null {
  const quoted = /["“„«]([^"“”„«»]{2,80})["”»]/.exec(text)?.[1]
  if (quoted !== undefined) return quoted
  const value = /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}|\+?\d[\d ]{4,30}\d/.exec(text)?.[0]
  if (value !== undefined) return value
  const [, ...rest] = text.trim().split(/\s+/)
  const proper = rest
    .map((word) => word.replaceAll(/[^\p{L}\d-]/gu, ''))
    .filter((word) => /^\p{Lu}\p{Ll}/u.test(word))
  return proper.length > 0 ? proper.slice(0, 4).join(' ') : null
}
