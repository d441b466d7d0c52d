/** The personal data in the area assistant. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  knowledge: {
    title: 'Knowledge of the assistant',
    about: 'Facts, instructions, and texts of websites and files from which the assistant answers.',
    tables: ['assistants', 'assistant_sources', 'assistant_source_pages', 'assistant_passages'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'The business wrote or published it.',
  },
} as const satisfies Record<string, PersonalDataEntry>
