/** The few words that the components say by themselves. */
import { defineTexts } from '../language/texts.ts'

export const uiTexts = defineTexts('ui', {
  en: {
    copy: 'Copy',
    copied: 'Copied',
    close: 'Close',
    cancel: 'Cancel',
    optional: 'optional',
    loading: 'Loading',
    next_step: 'What to do',
    request_id: 'Request id',
    retry: 'Try again',
    for_assistant: 'Or tell your assistant',
    sort_by: 'Sort by {{column}}',
  },
  nl: {
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    close: 'Sluiten',
    cancel: 'Annuleren',
    optional: 'optioneel',
    loading: 'Laden',
    next_step: 'Wat u kunt doen',
    request_id: 'Verzoek-id',
    retry: 'Opnieuw proberen',
    for_assistant: 'Of zeg het tegen uw assistent',
    sort_by: 'Sorteren op {{column}}',
  },
})
