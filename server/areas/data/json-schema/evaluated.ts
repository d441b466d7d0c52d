/**
 * `if` and `unevaluatedItems` for the compiler, which counts what a failing `if` looked at as
 * evaluated, and loses count where only one branch evaluates all items. Otherwise as it does them.
 */
import { _, Name, type Ajv2020, type KeywordCxt } from 'ajv/dist/2020.js'
import { isSchema } from './outline.ts'

export function addEvaluatedKeywords(ajv: Ajv2020): void {
  for (const keyword of ['if', 'then', 'else', 'unevaluatedItems']) ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword: 'if',
    schemaType: ['object', 'boolean'],
    trackErrors: true,
    error: { message: 'does not fit what its other values ask for' },
    code: chooseBranch,
  })
  ajv.addKeyword({
    keyword: 'unevaluatedItems',
    type: 'array',
    schemaType: ['boolean', 'object'],
    error: { message: 'has more items than are accepted' },
    code: checkUnevaluatedItems,
  })
  // What looks at evaluated items must come after all that evaluates them.
  for (const group of ajv.RULES.rules) {
    const last = group.rules.filter(({ keyword }) => keyword.startsWith('unevaluated'))
    group.rules = [...group.rules.filter((rule) => !last.includes(rule)), ...last]
  }
}

function chooseBranch(cxt: KeywordCxt): void {
  const { gen, parentSchema } = cxt
  const valid = gen.let('valid', true)
  const answer = gen.name('_valid')
  const question = cxt.subschema(
    { keyword: 'if', compositeRule: true, createErrors: false, allErrors: false },
    answer,
  )
  cxt.mergeValidEvaluated(question, answer)
  cxt.reset()
  const take = (keyword: 'then' | 'else') => (): void => {
    if (!isSchema(parentSchema[keyword])) return
    const branch = cxt.subschema({ keyword }, answer)
    gen.assign(valid, answer)
    cxt.mergeValidEvaluated(branch, valid)
  }
  gen.if(answer, take('then'), take('else'))
  cxt.pass(valid, () => cxt.error(true))
}

function checkUnevaluatedItems(cxt: KeywordCxt): void {
  const { gen, schema, data, it } = cxt
  const evaluated = it.items ?? 0
  if (evaluated === true) return
  const length = gen.const('len', _`${data}.length`)
  const seen = gen.const(
    'seen',
    evaluated instanceof Name
      ? _`${evaluated} === true ? ${length} : (${evaluated} || 0)`
      : _`${evaluated}`,
  )
  const valid = gen.var('valid', _`${length} <= ${seen}`)
  if (schema === false) cxt.pass(valid)
  else {
    gen.if(_`!${valid}`, () => checkItems(cxt, { length, seen, valid }))
    cxt.ok(valid)
  }
  it.items = true
}

function checkItems(cxt: KeywordCxt, names: { length: Name; seen: Name; valid: Name }): void {
  const fits = cxt.gen.let('fits', true)
  cxt.gen.forRange('i', names.seen, names.length, (index) => {
    cxt.subschema({ keyword: 'unevaluatedItems', dataProp: index, dataPropType: 0 }, names.valid)
    cxt.gen.assign(fits, _`${fits} && ${names.valid}`)
  })
  cxt.gen.assign(names.valid, fits)
}
