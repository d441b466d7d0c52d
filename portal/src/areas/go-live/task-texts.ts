/** The texts of the requirements of going live, by their codes. */
import { defineTexts } from '../../language/texts.ts'

export const taskTexts = defineTexts('go_live_tasks', {
  en: {
    live_project: 'This is the test project of a pair. Go live in its live project.',
    plan: 'Choose a plan with live numbers and payments: yours works in test mode only',
    provider: '{{task}}',
    company_details: 'Fill in the company',
    spending_cap: 'Set a monthly spending cap, which is never passed',
    payment_mandate: 'Top up the balance, or save a card',
    payment_authentication: 'Confirm a payment with the bank: top up once with a card',
    phone_verification: 'Verify the phone number of the owner',
    'level.company': 'Have the company checked',
    'level.full': 'Reach the level Full of the verification',
    operator: 'The operator of this server does this. Ask them.',
    operator_at: 'The operator of this server does this:',
  },
  nl: {
    live_project: 'Dit is het testproject van een paar. Ga live in het liveproject.',
    plan: 'Kies een abonnement met live nummers en betalingen: dat van u werkt alleen in testmodus',
    provider: 'Deze server is nog niet verbonden met een aanbieder hiervoor.',
    company_details: 'Vul het bedrijf in',
    spending_cap: 'Stel een maandlimiet in, die nooit wordt overschreden',
    payment_mandate: 'Waardeer het tegoed op, of bewaar een kaart',
    payment_authentication: 'Bevestig een betaling bij de bank: waardeer één keer op met een kaart',
    phone_verification: 'Verifieer het telefoonnummer van de eigenaar',
    'level.company': 'Laat het bedrijf controleren',
    'level.full': 'Bereik het niveau Volledig van de verificatie',
    operator: 'De beheerder van deze server doet dit. Vraag het hem of haar.',
    operator_at: 'De beheerder van deze server doet dit:',
  },
})
