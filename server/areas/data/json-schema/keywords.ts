/**
 * Keywords that we check ourselves: equality of whole values (const, enum, uniqueItems), which the
 * library compares by calling what the data calls `valueOf`; multipleOf, so that 19.99 is a
 * multiple of 0.01; and the meter, which every schema pays at when it meets a value.
 */
import { _, type Ajv2020, type KeywordCxt } from 'ajv/dist/2020.js'
import { addEvaluatedKeywords } from './evaluated.ts'
import { canonicalText, isMultiple, isNested } from './values.ts'

/** The name of the keyword that pays. Unknown keywords of a client's schema are never compiled. */
export const METERED = 'metered'

/** What it costs to meet a value, worked out when the schema is compiled. */
export interface Toll {
  /** For the schema's own keywords. */
  steps: number
  /** It looks at each character of a text, or at each member of an object or array. */
  reads_all: boolean
}

/** Counts the work of one check, and ends the check that takes too much. */
export class Meter {
  private left = 0
  private readonly steps_max: number

  constructor(steps_max: number) {
    this.steps_max = steps_max
  }

  start(): void {
    this.left = this.steps_max
  }

  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw new TooMuchWork()
  }
}

export class TooMuchWork extends Error {}

const CHARACTERS_A_STEP = 32
const ITEMS_A_STEP = 4
/** What is written anew to be compared costs more. */
const WRITTEN_CHARACTERS_A_STEP = 8

export function addKeywords(ajv: Ajv2020, meter: Meter): void {
  for (const keyword of ['const', 'enum', 'uniqueItems', 'multipleOf']) ajv.removeKeyword(keyword)
  ajv.addKeyword({ keyword: 'const', compile: isConst })
  ajv.addKeyword({ keyword: 'enum', schemaType: 'array', compile: isOneOf })
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (wanted: boolean) => (items: unknown[]) => !wanted || areDifferent(items, meter),
  })
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    compile: (of: number) => (value: number) => isMultiple(value, of),
  })
  addEvaluatedKeywords(ajv)
  addMeter(ajv, meter)
}

/** Paid before anything else, so that no failing keyword ends a visit that was not counted. */
function addMeter(ajv: Ajv2020, meter: Meter): void {
  const pay = (value: unknown, steps: number): void => meter.spend(steps + sizeOf(value))
  const spend = (steps: number): void => meter.spend(steps)
  ajv.addKeyword({
    keyword: METERED,
    schemaType: 'object',
    errors: false,
    code({ gen, data, schema }: KeywordCxt) {
      const { steps, reads_all }: Toll = schema
      const paying = gen.scopeValue('func', { ref: reads_all ? pay : spend })
      gen.code(reads_all ? _`${paying}(${data}, ${steps})` : _`${paying}(${steps})`)
    },
  })
  const rule = ajv.RULES.all[METERED]
  for (const group of ajv.RULES.rules) {
    group.rules = group.rules.filter(({ keyword }) => keyword !== METERED)
  }
  if (typeof rule === 'object') ajv.RULES.rules.unshift({ rules: [rule] })
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length / CHARACTERS_A_STEP
  if (Array.isArray(value)) return value.length / ITEMS_A_STEP
  if (typeof value !== 'object' || value === null) return 0
  return Object.keys(value).length
}

function isConst(wanted: unknown): (value: unknown) => boolean {
  return isOneOf([wanted])
}

/** Texts, numbers and the like are looked up; objects and arrays by their canonical text. */
function isOneOf(wanted: readonly unknown[]): (value: unknown) => boolean {
  const plain = new Set(wanted.filter((one) => !isNested(one)))
  const texts = new Set(wanted.filter(isNested).map((one) => canonicalText(one)))
  const length_max = Math.max(0, ...[...texts].map((text) => text?.length ?? 0))
  return (value) => {
    if (!isNested(value)) return plain.has(value)
    // Reading ends where the longest wanted one does, however large the value is.
    return texts.size > 0 && texts.has(canonicalText(value, length_max) ?? '')
  }
}

function areDifferent(items: readonly unknown[], meter: Meter): boolean {
  const seen = new Set<unknown>()
  for (const item of items) {
    const text = isNested(item) ? canonicalText(item) : null
    meter.spend(text === null ? 1 : 2 + text.length / WRITTEN_CHARACTERS_A_STEP)
    // A text gets a mark of its own, so that it is never taken for the text of an object.
    const key = text ?? (typeof item === 'string' ? `"${item}` : item)
    if (seen.has(key)) return false
    seen.add(key)
  }
  return true
}
