/**
 * The stock of the simulated Telnyx, and magic numbers: the last four digits determine the outcome
 * of an order, and the area determines the outcome of a search. README.md lists them.
 */
import {
  soldCountry,
  type CarrierNumberType,
} from '../../../../providers/carrier/carrier-contract.ts'

/** Ordinary numbers end in 0000 to 7999. */
export const ORDINARY_PER_PREFIX = 8_000

export interface Prefix {
  /** The digits of the prefix without the leading zero of national dialling. */
  digits: string
  type: CarrierNumberType
  from_stock: boolean
}

const geographic =
  '10 13 15 20 23 24 26 30 33 35 36 38 40 43 45 46 50 53 55 58 70 71 72 73 74 75 76 77 78 79'

/** The lowest number first. */
export const prefixes: readonly Prefix[] = [
  ...geographic.split(' ').map((digits) => ({
    digits,
    type: 'geographic' as const,
    from_stock: digits === '20',
  })),
  { digits: '85', type: 'national', from_stock: true },
  { digits: '88', type: 'national', from_stock: true },
]

export function numberAt({ digits }: Prefix, position: number): string {
  return `+${soldCountry.calling_code}${digits}000${String(position).padStart(4, '0')}`
}

/**
 * The fate of an accepted order: active immediately or after a minute, or never, because the
 * registration is refused or waits for documents.
 */
export type Fate = 'at_once' | 'after_a_minute' | 'refused_after_a_minute' | 'awaits_documents'

export interface TelnyxFault {
  status: number
  code: string
  title: string
  detail: string
}

/** The reply to an order: the order, an error, or no reply. */
export interface OrderBehaviour {
  /** null means that no order is created. */
  fate: Fate | null
  answer: 'order' | 'silence' | TelnyxFault
}

export const numberTaken: TelnyxFault = {
  status: 409,
  code: '85001',
  title: 'Number already purchased',
  detail: 'The phone number is no longer available.',
}
const unexpected: TelnyxFault = {
  status: 500,
  code: '10007',
  title: 'Unexpected error',
  detail: 'An unexpected error occurred.',
}
const unregistrable: TelnyxFault = {
  status: 422,
  code: '10027',
  title: 'Unprocessable entity',
  detail: 'The number cannot be registered for this account.',
}
const tooMany: TelnyxFault = {
  status: 429,
  code: '10011',
  title: 'Too many requests',
  detail: 'You have exceeded the maximum number of allowed requests.',
}
const forbidden: TelnyxFault = {
  status: 403,
  code: '10010',
  title: 'Authorization failed',
  detail: 'You do not have permission to order numbers.',
}

const magicOrders: ReadonlyMap<string, OrderBehaviour> = new Map([
  ['9000', { fate: null, answer: numberTaken }],
  ['9001', { fate: 'after_a_minute', answer: 'order' }],
  ['9002', { fate: 'refused_after_a_minute', answer: 'order' }],
  ['9003', { fate: 'at_once', answer: 'silence' }],
  ['9004', { fate: null, answer: 'silence' }],
  ['9005', { fate: 'at_once', answer: unexpected }],
  ['9006', { fate: null, answer: unexpected }],
  ['9007', { fate: null, answer: unregistrable }],
  ['9008', { fate: null, answer: tooMany }],
  ['9009', { fate: null, answer: forbidden }],
  ['9010', { fate: 'awaits_documents', answer: 'order' }],
])

/**
 * Behaviour of searches by area code without its zero. No Dutch number starts with these digits.
 */
export const magicSearches: ReadonlyMap<string, 'silence' | TelnyxFault> = new Map<
  string,
  'silence' | TelnyxFault
>([
  ['991', unexpected],
  ['992', 'silence'],
  ['993', { ...unregistrable, detail: 'There is no coverage for this search.' }],
  ['994', tooMany],
])

export function findPrefix(e164: string): Prefix | undefined {
  return prefixes.find(({ digits }) => e164.startsWith(`+${soldCountry.calling_code}${digits}`))
}

/** Returns the behaviour of an order for this number; an unknown number counts as taken. */
export function findOrderBehaviour(e164: string): OrderBehaviour {
  const [, digits = '', ending = ''] = /^\+31(\d\d)000(\d{4})$/.exec(e164) ?? []
  const prefix = prefixes.find((one) => one.digits === digits)
  if (prefix === undefined) return { fate: null, answer: numberTaken }
  if (Number(ending) < ORDINARY_PER_PREFIX) {
    return { fate: prefix.from_stock ? 'at_once' : 'after_a_minute', answer: 'order' }
  }
  return magicOrders.get(ending) ?? { fate: null, answer: numberTaken }
}
