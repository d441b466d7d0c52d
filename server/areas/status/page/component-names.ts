/** The names of the components in the languages of the status page. */
import { componentNames, type ComponentId } from '../schema.ts'

export const pageLanguages = ['en', 'nl'] as const
export type PageLanguage = (typeof pageLanguages)[number]

export const componentNamesIn: Readonly<
  Record<PageLanguage, Readonly<Record<ComponentId, string>>>
> = {
  en: componentNames,
  nl: {
    sites: 'Sites en apps',
    api: 'API',
    portal: 'Portaal',
    phone: 'Telefoon',
    ai: 'Assistent',
    mail: 'E-mail',
    payments: 'Betalingen',
  },
}
