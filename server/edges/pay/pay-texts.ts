/** The texts of checkout pages. */
import type { PageLanguage } from '../html/language.ts'

const en = {
  title: (number: number) => `Order ${number}`,
  total: 'To pay',
  vat: (amount: string, rate: string) => `including ${amount} VAT (${rate})`,
  test: 'Test payment: no money moves. Choose what happens.',
  paid: 'Pay',
  failed: 'Let the payment fail',
  expired: 'Let it expire',
  canceled: 'Cancel',
  pending: 'Pay with a method that takes days',
  silent: 'The provider does not call back',
  back: 'Back to the shop',
  not_found: 'This page does not exist',
  not_found_about: 'Check the link, or ask the business for a new one.',
  conflict: 'This cannot be paid at the moment',
  conflict_about: 'Nothing was paid. Ask the business how you can pay.',
  busy: 'Too many requests',
  busy_about: 'Wait a minute and load the page again.',
  broken: 'The payment provider cannot be reached',
  broken_about: 'Nothing was paid. Load the page again in a moment.',
  link_pay: 'Continue to payment',
  link_test: 'Test: no money moves.',
  link_amount: 'Amount in euro',
  link_amount_hint: (least: string) => `At least ${least}.`,
  link_amount_fault: (least: string, most: string) => `Enter an amount of ${least} to ${most}.`,
  link_name: 'Your name (optional)',
  link_email: 'Your email address (optional)',
  link_email_fault: 'Enter an email address, or leave this empty.',
  subscription_periods: { day: 'per day', week: 'per week', month: 'per month', year: 'per year' },
  subscription_next: (day: string) => `The next payment is on ${day}.`,
  subscription_ended: 'This subscription has ended. Nothing more is charged.',
  subscription_pending: 'The first payment has not arrived yet.',
  subscription_past_due: 'The last payment failed. It is tried again.',
  subscription_orders: 'Payments',
  subscription_cancel: 'Cancel the subscription',
  link_closed: 'This payment link does not work any more',
  link_closed_about: (business: string) => `Ask ${business} for a new one.`,
  waiting: 'We have not heard of the payment yet',
  waiting_about: 'If you paid, the business is told when it arrives. If not, you can still pay.',
  waiting_pay: 'Back to the payment',
  ended: {
    open: ['This order can no longer be paid', 'Order again if you still want it.'],
    pending: [
      'The payment is on its way',
      'It takes a few days. The business is told when it arrives.',
    ],
    paid: ['Thank you, it is paid', 'The business has received your payment.'],
    failed: ['The payment failed', 'Nothing was paid. Order again to try once more.'],
    expired: [
      'This order has expired',
      'It was not paid in time. Order again if you still want it.',
    ],
    canceled: ['You canceled the payment', 'Nothing was paid.'],
    partially_refunded: ['It is paid', 'A part was refunded.'],
    refunded: ['It is refunded', 'The whole amount was returned.'],
    charged_back: ['The payment was taken back', 'Ask the business about it.'],
  },
} as const

type Ended = Readonly<Record<keyof typeof en.ended, readonly [string, string]>>
type Texts = { [Name in keyof typeof en]: (typeof en)[Name] extends string ? string : unknown } & {
  title(number: number): string
  vat(amount: string, rate: string): string
  link_amount_hint(least: string): string
  link_amount_fault(least: string, most: string): string
  link_closed_about(business: string): string
  subscription_periods: Readonly<Record<keyof typeof en.subscription_periods, string>>
  subscription_next(day: string): string
  ended: Ended
}

export const payTexts: Readonly<Record<PageLanguage, Texts>> = {
  en,
  nl: {
    title: (number) => `Bestelling ${number}`,
    total: 'Te betalen',
    vat: (amount, rate) => `inclusief ${amount} btw (${rate})`,
    test: 'Testbetaling: er wordt geen geld overgemaakt. Kies wat er gebeurt.',
    paid: 'Betalen',
    failed: 'Betaling laten mislukken',
    expired: 'Laten verlopen',
    canceled: 'Annuleren',
    pending: 'Betalen op een manier die dagen duurt',
    silent: 'De aanbieder meldt niets terug',
    back: 'Terug naar de winkel',
    not_found: 'Deze pagina bestaat niet',
    not_found_about: 'Controleer de link, of vraag het bedrijf om een nieuwe.',
    conflict: 'Dit kan nu niet worden betaald',
    conflict_about: 'Er is niets betaald. Vraag het bedrijf hoe u kunt betalen.',
    busy: 'Te veel verzoeken',
    busy_about: 'Wacht een minuut en laad de pagina opnieuw.',
    broken: 'De betaalaanbieder is niet bereikbaar',
    broken_about: 'Er is niets betaald. Laad de pagina zo opnieuw.',
    link_pay: 'Verder naar betalen',
    link_test: 'Test: er wordt geen geld overgemaakt.',
    link_amount: 'Bedrag in euro',
    link_amount_hint: (least) => `Minstens ${least}.`,
    link_amount_fault: (least, most) => `Vul een bedrag in van ${least} tot ${most}.`,
    link_name: 'Uw naam (niet verplicht)',
    link_email: 'Uw e-mailadres (niet verplicht)',
    link_email_fault: 'Vul een e-mailadres in, of laat dit leeg.',
    subscription_periods: {
      day: 'per dag',
      week: 'per week',
      month: 'per maand',
      year: 'per jaar',
    },
    subscription_next: (day) => `De volgende betaling is op ${day}.`,
    subscription_ended: 'Dit abonnement is geëindigd. Er wordt niets meer afgeschreven.',
    subscription_pending: 'De eerste betaling is nog niet binnen.',
    subscription_past_due: 'De laatste betaling is mislukt. Er komt een nieuwe poging.',
    subscription_orders: 'Betalingen',
    subscription_cancel: 'Abonnement opzeggen',
    link_closed: 'Deze betaallink werkt niet meer',
    link_closed_about: (business) => `Vraag ${business} om een nieuwe.`,
    waiting: 'We hebben nog niets over de betaling gehoord',
    waiting_about:
      'Als u hebt betaald, krijgt het bedrijf bericht zodra het binnen is. Zo niet, dan kunt u nog betalen.',
    waiting_pay: 'Terug naar de betaling',
    ended: {
      open: ['Deze bestelling kan niet meer worden betaald', 'Bestel opnieuw als u het nog wilt.'],
      pending: ['De betaling is onderweg', 'Dat duurt een paar dagen. Het bedrijf krijgt bericht.'],
      paid: ['Bedankt, het is betaald', 'Het bedrijf heeft uw betaling ontvangen.'],
      failed: [
        'De betaling is mislukt',
        'Er is niets betaald. Bestel opnieuw om het nog eens te proberen.',
      ],
      expired: [
        'Deze bestelling is verlopen',
        'Er is niet op tijd betaald. Bestel opnieuw als u het nog wilt.',
      ],
      canceled: ['U hebt de betaling geannuleerd', 'Er is niets betaald.'],
      partially_refunded: ['Het is betaald', 'Een deel is terugbetaald.'],
      refunded: ['Het is terugbetaald', 'Het hele bedrag is teruggegeven.'],
      charged_back: ['De betaling is teruggehaald', 'Vraag het bedrijf ernaar.'],
    },
  },
}
