/**
 * Replaces keywords of Ajv: `const`, `enum` and `uniqueItems`, because Ajv calls `valueOf` of the
 * data to compare objects; `multipleOf`, to compute in decimals. Adds the keyword that counts the
 * steps of a check.
 */
import { _, type Ajv2020, type KeywordCxt } from 'ajv/dist/2020.js'
import { canonicalText, isMultiple, isObjectOrArray } from './values.ts'

/**
 * Keyword that compilation adds to every subschema. Unknown keywords of a client's schema are
 * removed.
 */
export const COST_KEYWORD = 'metered'

/** Counts the steps of one check. Throws TooMuchWork beyond the maximum. */
export class StepMeter {
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
/** Writing canonical text is slower than reading, so fewer characters cost a step. */
const WRITTEN_CHARACTERS_A_STEP = 8

export function addKeywords(ajv: Ajv2020, meter: StepMeter): void {
  for (const keyword of ['const', 'enum', 'uniqueItems', 'multipleOf']) ajv.removeKeyword(keyword)
  const keyOf = (value: unknown): unknown => comparable(value, meter)
  const isOneOf = (wanted: readonly unknown[]) => {
    const keys = new Set(wanted.map((one) => comparable(one)))
    const any_nested = wanted.some(isObjectOrArray)
    return (value: unknown) => (any_nested || !isObjectOrArray(value)) && keys.has(keyOf(value))
  }
  ajv.addKeyword({ keyword: 'const', compile: (wanted: unknown) => isOneOf([wanted]) })
  ajv.addKeyword({ keyword: 'enum', schemaType: 'array', compile: isOneOf })
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (wanted: boolean) => (items: unknown[]) => !wanted || areUnique(items, keyOf),
  })
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    compile: (of: number) => (value: number) => isMultiple(value, of),
  })
  addMeter(ajv, meter)
}

/** Runs before the other keywords, so that a failing keyword cannot skip the count. */
function addMeter(ajv: Ajv2020, meter: StepMeter): void {
  const spend = (value: unknown, steps: number): void => meter.spend(steps + sizeOf(value))
  ajv.addKeyword({
    keyword: COST_KEYWORD,
    schemaType: 'number',
    errors: false,
    code({ gen, data, schema: steps }: KeywordCxt) {
      gen.code(_`${gen.scopeValue('func', { ref: spend })}(${data}, ${steps})`)
    },
  })
  const rule = ajv.RULES.all[COST_KEYWORD]
  for (const group of ajv.RULES.rules)
    group.rules = group.rules.filter(({ keyword }) => keyword !== COST_KEYWORD)
  if (typeof rule === 'object') ajv.RULES.rules.unshift({ rules: [rule] })
}

/** The steps for reading every character, item or member of a value. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length / CHARACTERS_A_STEP
  if (Array.isArray(value)) return value.length / ITEMS_A_STEP
  return isObjectOrArray(value) ? Object.keys(value).length : 0
}

/**
 * Returns equal keys for equal values. Strings get a prefix that canonical texts of objects do not
 * have.
 */
function comparable(value: unknown, meter?: StepMeter): unknown {
  if (typeof value === 'string') return `"${value}`
  if (!isObjectOrArray(value)) return value
  const text = canonicalText(value)
  meter?.spend(text.length / WRITTEN_CHARACTERS_A_STEP)
  return text
}

function areUnique(items: readonly unknown[], keyOf: (value: unknown) => unknown): boolean {
  const seen = new Set<unknown>()
  return items.every((item) => seen.size < seen.add(keyOf(item)).size)
}
