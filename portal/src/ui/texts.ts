/** The few words that the components say by themselves. */
import { defineTexts } from '../language/texts.ts'

export const useUiTexts = defineTexts('ui', {
  en: {
    copy: 'Copy',
    copied: 'Copied',
    close: 'Close',
    cancel: 'Cancel',
    optional: 'optional',
    loading: 'Loading',
    next_step: 'What to do',
    see_plans: 'See plans',
    used_of: '{{used}} of {{max}}',
    request_id: 'Request id',
    retry: 'Try again',
    for_assistant: 'Or ask Claude, ChatGPT or another AI tool',
    sort_by: 'Sort by {{column}}',
    phone_understood: 'Read as {{phone}}.',
    phone_begins: 'Begin with + and the country code, such as +31 6 12345678.',
    phone_unread: 'This is no phone number yet. Numbers of another country begin with +.',
    amount_understood: 'Read as {{amount}}.',
    amount_ambiguous:
      'This could be {{less}} or {{more}}. Write it without a separator, or with two decimals.',
  },
  nl: {
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    close: 'Sluiten',
    cancel: 'Annuleren',
    optional: 'optioneel',
    loading: 'Laden',
    next_step: 'Wat u kunt doen',
    see_plans: 'Abonnementen bekijken',
    used_of: '{{used}} van {{max}}',
    request_id: 'Verzoek-id',
    retry: 'Opnieuw proberen',
    for_assistant: 'Of vraag het Claude, ChatGPT of een andere AI-tool',
    sort_by: 'Sorteren op {{column}}',
    phone_understood: 'Gelezen als {{phone}}.',
    phone_begins: 'Begin met + en de landcode, zoals +31 6 12345678.',
    phone_unread: 'Dit is nog geen telefoonnummer. Nummers van een ander land beginnen met +.',
    amount_understood: 'Gelezen als {{amount}}.',
    amount_ambiguous:
      'Dit kan {{less}} of {{more}} zijn. Schrijf het zonder scheidingsteken, of met twee decimalen.',
  },
})
