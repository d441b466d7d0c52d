/** Selects the visitor's language for the texts of the form script. */
import { languages, words } from '../../server/contract/problems/form-words.ts'

/**
 * Returns a function that translates keys, in the language of the form, else the page, else the
 * browser.
 */
export const speakerFor = (form) => {
  const wanted = [form.closest('[lang]')?.getAttribute('lang'), ...navigator.languages]
  const known = wanted.map((tag) => languages.indexOf(tag?.slice(0, 2).toLowerCase()))
  const index = known.find((one) => one >= 0) ?? 0
  return {
    is_english: index === 0,
    say: (key, number) => words[key][index].replace('#', number),
  }
}
