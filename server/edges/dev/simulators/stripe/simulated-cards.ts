/**
 * The cards of the simulated Stripe: Stripe's test cards by name, and two whose payment succeeds
 * with an unknown outcome. README.md lists them.
 */
export interface SimulatedCard {
  brand: string
  last4: string
  /** The decline, in Stripe's wording. */
  error?: { code: string; decline_code?: string; message: string }
  /** The payment succeeds, but the request gets no reply, or a 500. */
  after_taking?: 'silence' | 'trouble'
}

const declined = { code: 'card_declined', message: 'Your card was declined.' }
const genericDecline: SimulatedCard = {
  brand: 'visa',
  last4: '0002',
  error: { ...declined, decline_code: 'generic_decline' },
}
const insufficientFunds: SimulatedCard = {
  brand: 'visa',
  last4: '9995',
  error: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
}

export const simulatedCards = new Map<string, SimulatedCard>([
  ['pm_card_visa', { brand: 'visa', last4: '4242' }],
  ['pm_card_visa_debit', { brand: 'visa', last4: '5556' }],
  ['pm_card_mastercard', { brand: 'mastercard', last4: '4444' }],
  ['pm_card_amex', { brand: 'amex', last4: '8431' }],
  ['pm_card_chargeDeclined', genericDecline],
  ['pm_card_visa_chargeDeclined', genericDecline],
  ['pm_card_chargeDeclinedInsufficientFunds', insufficientFunds],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', insufficientFunds],
  [
    'pm_card_chargeDeclinedExpiredCard',
    {
      brand: 'visa',
      last4: '0069',
      error: { code: 'expired_card', message: 'Your card has expired.' },
    },
  ],
  [
    'pm_card_authenticationRequired',
    {
      brand: 'visa',
      last4: '3184',
      error: {
        code: 'authentication_required',
        decline_code: 'authentication_required',
        message: 'Your card was declined. This transaction requires authentication.',
      },
    },
  ],
  ['pm_card_takenThenSilence', { brand: 'visa', last4: '0408', after_taking: 'silence' }],
  ['pm_card_takenThenTrouble', { brand: 'visa', last4: '0500', after_taking: 'trouble' }],
])
