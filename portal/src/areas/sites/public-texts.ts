/** The texts about publishing publicly. */
import { defineTexts } from '../../language/texts.ts'

export const usePublicTexts = defineTexts('public_sites', {
  en: {
    title: 'This project cannot publish publicly yet',
    about: 'This keeps fraudsters out. One of these is enough:',
    card: 'Add a card',
    card_about: 'Top up once with a card, and let it be kept.',
    card_action: 'Top up',
    ask_admin: 'Ask an owner or admin of the project to save a card.',
    phone: 'Verify a phone number',
    phone_about: 'You get a code with six digits in a text message or a call.',
    phone_action: 'Verify a phone',
    phone_by_operator: 'This server sends no codes. Its operator can confirm the number.',
    ask_owner: 'Ask an owner of the project to verify their number.',
    unlisted: 'Publish unlisted',
    unlisted_about: 'It works now: only people with the secret link see the site.',
    unlisted_action: 'Publish unlisted',
    unlisted_choose: 'Choose Unlisted',
  },
  nl: {
    title: 'Dit project kan nog niet openbaar publiceren',
    about: 'Zo blijven oplichters weg. Een van deze is genoeg:',
    card: 'Voeg een kaart toe',
    card_about: 'Waardeer één keer op met een kaart, en laat die bewaren.',
    card_action: 'Opwaarderen',
    ask_admin: 'Vraag een eigenaar of beheerder van het project om een kaart te bewaren.',
    phone: 'Verifieer een telefoonnummer',
    phone_about: 'U krijgt een code van zes cijfers per sms of telefoontje.',
    phone_action: 'Nummer verifiëren',
    phone_by_operator: 'Deze server verstuurt geen codes. De beheerder kan het nummer bevestigen.',
    ask_owner: 'Vraag een eigenaar van het project om een nummer te verifiëren.',
    unlisted: 'Publiceer verborgen',
    unlisted_about: 'Dat kan nu al: alleen wie de geheime link heeft ziet de site.',
    unlisted_action: 'Verborgen publiceren',
    unlisted_choose: 'Kies Verborgen',
  },
})
