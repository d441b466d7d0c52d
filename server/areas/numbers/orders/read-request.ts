/**
 * Parses the parameters of a search or an order and reports all faults at once. Pure. Uses the
 * Dutch numbering plan, because the carrier sells Dutch numbers.
 */
import { Problem } from '../../../contract/errors.ts'
import { areaPattern, type NumberOrder, type NumberSearch, type NumberType } from '../schema.ts'
import { isAssignableTestNumber } from '../test-range.ts'

const isArea = new RegExp(areaPattern)
/** Prefixes of non-geographic numbers. */
const nationalPrefix = /^0?(?:8[458]|91|97)/
/**
 * The Dutch numbers on sale: geographic ones, and those of a national prefix (097 has eleven
 * digits). Mobile and service numbers are excluded, because their prices differ.
 */
const dutch = /^\+31((?:[1-57][0-9]|8[458]|91)[0-9]{7}|97[0-9]{9})$/

type Rule = [broken: boolean, path: string, message: string]

/** Returns the number type of a search. */
export function findSearchedType({ type, area }: NumberSearch): NumberType {
  const of_area = typeOfArea(area)
  const isNational = of_area === 'national'
  refuse('The search parameters are not valid.', [
    [
      type !== undefined && type !== 'national' && type !== 'geographic',
      '/type',
      'must be national or geographic',
    ],
    areaRule(area),
    [type === 'geographic' && area === undefined, '/area', 'is required for a geographic number'],
    [
      type === 'geographic' && area !== undefined && isNational,
      '/area',
      'applies to national numbers only',
    ],
    [type === 'national' && !isNational, '/area', 'does not apply to a national number; remove it'],
  ])
  return of_area
}

export interface NumberWish {
  type: NumberType
  area: string | undefined
  /** The requested number; undefined if any number will do. */
  e164: string | undefined
}

/** Parses the request of an order. `test`: whether the number comes from the test range. */
export function parseOrder({ area, e164 }: NumberOrder, test: boolean): NumberWish {
  refuse('The order is not valid.', [
    areaRule(area),
    [area !== undefined && e164 !== undefined, '/area', 'cannot be combined with e164; remove it'],
    [
      e164 !== undefined && test && !isAssignableTestNumber(e164),
      '/e164',
      'must be a number of the test range, as listed by GET /numbers/available',
    ],
    [
      e164 !== undefined && !test && !dutch.test(e164),
      '/e164',
      'must be a Dutch geographic or national number, as listed by GET /numbers/available',
    ],
  ])
  return { type: findOrderedType({ area, e164 }), area, e164 }
}

/** Returns the type of the number that an order is for, even if it cannot be ordered. */
export function findOrderedType({
  area,
  e164,
}: Partial<Pick<NumberWish, 'area' | 'e164'>>): NumberType {
  return e164 === undefined ? typeOfArea(area) : typeOfNumber(e164)
}

function typeOfArea(area: string | undefined): NumberType {
  return area === undefined || nationalPrefix.test(area) ? 'national' : 'geographic'
}

function typeOfNumber(e164: string): NumberType {
  const [, digits] = dutch.exec(e164) ?? []
  return digits === undefined || nationalPrefix.test(digits) ? 'national' : 'geographic'
}

function areaRule(area: string | undefined): Rule {
  return [
    area !== undefined && !isArea.test(area),
    '/area',
    'must be an area code of two to five digits, such as 020',
  ]
}

function refuse(detail: string, rules: readonly Rule[]): void {
  const errors = rules.filter(([broken]) => broken).map(([, path, message]) => ({ path, message }))
  if (errors.length > 0) throw new Problem('validation_failed', detail, { errors })
}
