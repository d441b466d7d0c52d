/** The names of ways to pay, which providers report as codes such as `creditcard`. */
import { defineTexts } from '../../language/texts.ts'

const brands: Readonly<Record<string, string>> = {
  alipay: 'Alipay',
  alma: 'Alma',
  applepay: 'Apple Pay',
  apple_pay: 'Apple Pay',
  bancontact: 'Bancontact',
  bancomatpay: 'Bancomat Pay',
  belfius: 'Belfius',
  blik: 'BLIK',
  eps: 'EPS',
  giropay: 'giropay',
  googlepay: 'Google Pay',
  google_pay: 'Google Pay',
  ideal: 'iDEAL',
  in3: 'in3',
  kbc: 'KBC/CBC',
  klarna: 'Klarna',
  link: 'Link',
  mybank: 'MyBank',
  p24: 'Przelewy24',
  przelewy24: 'Przelewy24',
  paypal: 'PayPal',
  riverty: 'Riverty',
  satispay: 'Satispay',
  swish: 'Swish',
  trustly: 'Trustly',
  twint: 'TWINT',
}

const useMethodTexts = defineTexts('payment-methods', {
  en: { card: 'card', direct_debit: 'direct debit', transfer: 'bank transfer', voucher: 'voucher' },
  nl: { card: 'kaart', direct_debit: 'incasso', transfer: 'overboeking', voucher: 'tegoedbon' },
})

const kinds = {
  card: 'card',
  creditcard: 'card',
  directdebit: 'direct_debit',
  sepa_debit: 'direct_debit',
  banktransfer: 'transfer',
  customer_balance: 'transfer',
  giftcard: 'voucher',
  voucher: 'voucher',
} as const

const isKind = (code: string): code is keyof typeof kinds => Object.hasOwn(kinds, code)

/** Returns a function that joins the names of ways to pay. An unknown code is shown without underscores. */
export function useMethodNames(): (codes: readonly string[]) => string {
  const t = useMethodTexts()
  const nameOf = (code: string) =>
    isKind(code) ? t(kinds[code]) : (brands[code] ?? readable(code))
  return (codes) => [...new Set(codes.map(nameOf))].join(', ')
}

/** The words of a code of a provider, such as `individual.id_number`. */
export function readable(code: string): string {
  return code.replaceAll(/[_.]/g, ' ')
}
