/** The personal data in conversations. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  conversations: {
    title: 'Chat conversations',
    about: 'What visitors and the assistant wrote, with the name and address that visitors left.',
    tables: ['conversations', 'conversation_messages'],
    days: 365,
    chosen: true,
    days_max: null,
    not_searched: null,
  },
  unanswered_questions: {
    title: 'Unanswered questions',
    about: 'Questions in the words of visitors and callers that the assistant could not answer.',
    tables: ['unanswered_questions'],
    days: 365,
    chosen: true,
    days_max: null,
    not_searched: null,
  },
} as const satisfies Record<string, PersonalDataEntry>
