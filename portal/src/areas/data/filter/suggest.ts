/**
 * Completes a filter at the caret: fields, the operators of a field, and values. It reads only as much
 * of the grammar as it needs to know which of these comes next; the server checks the filter.
 */
import type { DataField, FieldKind } from '../fields.ts'

export interface Suggestion {
  text: string
  kind: 'field' | 'operator' | 'value' | 'word'
  /** The title of a field. */
  hint: string | null
  /** Replaces the text from `from` to `to`. */
  insert: string
  from: number
  to: number
}

interface Token {
  kind: 'word' | 'text' | 'sign'
  text: string
  from: number
  to: number
}

type FilterField = Pick<DataField, 'name' | 'title' | 'kind' | 'choices'>

const TOKEN = /"(?:[^"\\]|\\.)*"?|[=<>!]+|[(),]|@?[^\s"=<>!(),]+/g
const WORD = /^[\p{L}_][\p{L}\p{N}_]*$/u
const words = ['and', 'or', 'not', 'in', 'has', 'contains', 'starts', 'ends', 'exists']
const literals = ['true', 'false', 'null']
const SHOWN_MAX = 8

const system: readonly FilterField[] = [
  { name: 'created_at', title: '', kind: 'date', choices: [] },
  { name: 'updated_at', title: '', kind: 'date', choices: [] },
  { name: 'version', title: '', kind: 'number', choices: [] },
  {
    name: 'source',
    title: '',
    kind: 'choice',
    choices: ['form', 'api', 'agent', 'portal', 'import'],
  },
  { name: 'id', title: '', kind: 'text', choices: [] },
]

const operators: Readonly<Record<FieldKind, readonly string[]>> = {
  text: ['=', '!=', 'contains', 'starts with', 'ends with', 'in (', 'exists'],
  long: ['contains', 'starts with', '=', 'exists'],
  number: ['=', '!=', '>', '>=', '<', '<=', 'exists'],
  boolean: ['=', '!=', 'exists'],
  choice: ['=', '!=', 'in (', 'exists'],
  date: ['>', '>=', '<', '<=', '=', 'exists'],
  json: ['has', 'exists'],
}

/** The name of a field as a filter writes it: quoted if it is no word, prefixed if it has a meaning. */
export function fieldText(name: string): string {
  const written = WORD.test(name) ? name : JSON.stringify(name)
  const isTaken = [...words, ...literals].includes(name.toLowerCase())
  const isSystem = system.some((field) => field.name === name)
  return isTaken || isSystem ? `data.${written}` : written
}

export function suggest(
  text: string,
  caret: number,
  dataFields: readonly FilterField[],
): Suggestion[] {
  const fields = [
    ...dataFields.map((field) => ({ ...field, written: fieldText(field.name) })),
    ...system.map((field) => ({ ...field, written: field.name })),
  ]
  const tokens = tokensOf(text.slice(0, caret))
  const last = tokens.at(-1)
  const isTyping = last !== undefined && last.to === caret && last.text !== '(' && last.text !== ','
  const before = isTyping ? tokens.slice(0, -1) : tokens
  const typed = isTyping ? last.text : ''
  const place = { from: isTyping ? last.from : caret, to: caret }
  const state = stateAfter(before)
  const field = fields.find(({ written }) => written === state.field)
  const options = optionsOf(state.wants, { fields, field })
  const wanted = typed.replace(/^"/, '').toLowerCase()
  return options
    .filter(({ text, hint }) => matches(text, wanted) || (hint !== null && matches(hint, wanted)))
    .filter(({ insert }) => insert.trim() !== typed)
    .slice(0, SHOWN_MAX)
    .map((option) => ({ ...option, ...place }))
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: found, index }) => ({
    kind: found.startsWith('"') ? 'text' : /^[=<>!(),]/.test(found) ? 'sign' : 'word',
    text: found,
    from: index,
    to: index + found.length,
  }))
}

type Wants = 'field' | 'operator' | 'value' | 'listed' | 'with' | 'connective'

interface State {
  wants: Wants
  /** The field that the comparison began with. */
  field: string
}

function stateAfter(tokens: readonly Token[]): State {
  let state: State = { wants: 'field', field: '' }
  for (const token of tokens) state = next(state, token)
  return state
}

function next({ wants, field }: State, { kind, text }: Token): State {
  const word = text.toLowerCase()
  switch (wants) {
    case 'field': {
      const isOpening = text === '(' || word === 'not'
      return isOpening ? { wants, field: '' } : { wants: 'operator', field: text }
    }
    case 'operator':
      return { wants: afterOperator(word), field }
    case 'with':
      return { wants: 'value', field }
    case 'listed':
      return { wants: text === ')' ? 'connective' : 'listed', field }
    case 'value':
      return { wants: 'connective', field }
    case 'connective': {
      const isNext = kind === 'word' && ['and', 'or'].includes(word)
      return isNext ? { wants: 'field', field: '' } : { wants, field }
    }
  }
}

function afterOperator(word: string): Wants {
  if (word === 'exists') return 'connective'
  if (word === 'starts' || word === 'ends') return 'with'
  if (word === 'not' || word === 'in') return 'operator'
  return word === '(' ? 'listed' : 'value'
}

type Option = Omit<Suggestion, 'from' | 'to'>

interface Known {
  fields: readonly (FilterField & { written: string })[]
  field: FilterField | undefined
}

function optionsOf(wants: Wants, { fields, field }: Known): Option[] {
  const option = (kind: Suggestion['kind']) => (text: string) => ({
    text,
    kind,
    hint: null,
    insert: `${text} `,
  })
  if (wants === 'field') {
    return fields.map(({ written, title }) => ({
      text: written,
      kind: 'field',
      hint: title.toLowerCase() === written ? null : title || null,
      insert: `${written} `,
    }))
  }
  if (wants === 'operator') {
    const known = operators[field?.kind ?? 'text']
    return known.map((text) => ({
      ...option('operator')(text),
      insert: text.endsWith('(') ? text : `${text} `,
    }))
  }
  if (wants === 'with') return [option('word')('with')]
  if (wants === 'connective') return ['and', 'or'].map(option('word'))
  const values = valuesOf(field)
  if (wants === 'value') return values.map(option('value'))
  return values.map((text) => ({ ...option('value')(text), insert: `${text}, ` }))
}

function valuesOf(field: FilterField | undefined): string[] {
  if (field === undefined) return literals
  if (field.kind === 'choice') return field.choices.map((choice) => JSON.stringify(choice))
  if (field.kind === 'boolean') return ['true', 'false']
  if (field.kind === 'date') return ['@today', '@today - 7d', '@today + 7d', '@now - 24h']
  return []
}

function matches(text: string, typed: string): boolean {
  if (typed === '') return true
  const plain = text.replace(/^"/, '').toLowerCase()
  return plain.startsWith(typed) || plain.includes(` ${typed}`)
}
