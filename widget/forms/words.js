/** Picks the visitor's language for the words of the form script. */
import { languages, words } from '../../server/contract/form-words.ts'

/** Says a key of the words in the language of the form, else of the page, else of the browser. */
export const speakerFor = (form) => {
  const wanted = [form.closest('[lang]')?.getAttribute('lang'), ...navigator.languages]
  const known = wanted.map((tag) => languages.indexOf(tag?.slice(0, 2).toLowerCase()))
  const index = known.find((one) => one >= 0) ?? 0
  return {
    is_english: index === 0,
    say: (key, number) => words[key][index].replace('#', number),
  }
}
