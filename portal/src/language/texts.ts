/**
 * The texts of the portal in English and Dutch. Each area defines its own in both languages, so that
 * a missing translation does not compile, and they are loaded with its pages.
 */
import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import { loadServerTexts, translateMessage } from './server-texts/translate.ts'

export const languages = { en: 'English', nl: 'Nederlands' } as const
export type Language = keyof typeof languages

const STORAGE_KEY = 'homeport.language'

void i18next.init({
  lng: firstLanguage(),
  fallbackLng: 'en',
  resources: {},
  initAsync: false,
  interpolation: { escapeValue: false },
  // Keys such as `data:read` have a colon.
  nsSeparator: false,
})
document.documentElement.lang = i18next.language

type Table = Readonly<Record<string, string>>
/** The keys of a table; `files_one` and `files_other` are the key `files` with a `count`. */
type KeyOf<T> = keyof T extends infer Key
  ? Key extends `${infer Base}_one` | `${infer Base}_other`
    ? Base
    : Key
  : never

export type Translate<T> = (
  key: KeyOf<T> & string,
  values?: Readonly<Record<string, string | number>>,
) => string

/** Returns the hook that translates the texts of an area; `table` has those in English. */
export function defineTexts<const T extends Table>(
  area: string,
  { en, nl }: { en: T; nl: Readonly<Record<keyof T, string>> },
) {
  i18next.addResourceBundle('en', area, en)
  i18next.addResourceBundle('nl', area, nl)
  const useAreaTexts = (): Translate<T> => {
    // Renders the component again when the language changes.
    const lng = useLanguage()
    return (key, values) => i18next.t(String(key), { ...values, ns: area, lng })
  }
  return Object.assign(useAreaTexts, { table: en })
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguage, currentLanguage)
}

/** Translates messages of the server that are not part of an error. */
export function useServerText(): (message: string) => string {
  const language = useLanguage()
  return (message) => translateMessage(message, language)
}

/** The language of the moment, outside of components. */
export function currentLanguage(): Language {
  return i18next.language === 'nl' ? 'nl' : 'en'
}

function onLanguage(changed: () => void): () => void {
  i18next.on('languageChanged', changed)
  return () => i18next.off('languageChanged', changed)
}

export function setLanguage(language: Language): void {
  localStorage.setItem(STORAGE_KEY, language)
  void change(language)
  storeOnServer(language)
}

async function change(language: Language): Promise<void> {
  await loadServerTexts(language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}

/**
 * Keeps the language for the pages that the server renders and, if signed in, for the mails to the
 * person. The portal itself does not depend on it, so a failure is ignored.
 */
function storeOnServer(language: Language): void {
  const body = new URLSearchParams({ language })
  const sent = fetch('/portal/language', {
    method: 'POST',
    body,
    redirect: 'manual',
    keepalive: true,
  })
  sent.catch(() => {})
}

/** Returns the chosen language, or that of the browser. */
function firstLanguage(): Language {
  const wanted = localStorage.getItem(STORAGE_KEY) ?? navigator.language
  return wanted.startsWith('nl') ? 'nl' : 'en'
}
