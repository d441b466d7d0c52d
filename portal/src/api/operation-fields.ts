/**
 * The fields of a form that is made from the JSON Schema of an operation's body: their kind, what is
 * wrong with a typed text, and the body that the texts mean.
 */
import { amountOf, readNumber } from '../language/numbers.ts'

export interface Schema {
  type?: string
  enum?: readonly string[]
  format?: string
  pattern?: string
  description?: string
  maxLength?: number
  minItems?: number
  minimum?: number
  maximum?: number
  required?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  anyOf?: readonly Schema[]
}

export interface Choice {
  value: string
  text: string
  /** With an explanation of each, the choices of one value are cards. */
  about?: string
}

/** What a page adds to the schema of a field. */
export interface Look {
  /** Its place in the body, such as `customer/email`. */
  path: string
  label: string
  hint?: string
  placeholder?: string
  /** The values of a list are lines. */
  initial?: string
  choices?: readonly Choice[]
  /** A field that the other fields make necessary, although the schema cannot say so. */
  required?: true
  isShown?(texts: Texts): boolean
  /** For a date-time: a moment in the time zone of the browser, not the end of a day. */
  time?: true
  /** What is wrong with the text in words of the page, before the schema is asked. */
  check?(text: string): string | undefined
  /** What the body has for the text, if its kind does not say it. */
  toValue?(text: string): unknown
  /** The body has the typed number times this: 60 for minutes of a field in seconds. */
  scale?: number
}

export type Texts = Readonly<Record<string, string>>
export type Kind =
  | 'text'
  | 'long'
  | 'email'
  | 'phone'
  | 'money'
  | 'number'
  | 'choice'
  | 'list'
  | 'day'
  | 'time'

export interface FormField extends Look {
  kind: Kind
  schema: Schema
  isRequired: boolean
}

export type Fault =
  | 'required'
  | 'amount'
  | 'amount_most'
  | 'number'
  | 'whole'
  | 'email'
  | 'phone'
  | 'day'
  | 'time'

const LINE_CHARACTERS_MAX = 300
const emailPattern = /^\S+@\S+$/

export function fieldOf(body: Schema, look: Look): FormField {
  const names = look.path.split('/')
  let schema: Schema | undefined = body
  let isRequired = false
  for (const name of names) {
    isRequired = schema?.items !== undefined || schema?.required?.includes(name) === true
    schema = withoutNull(schema?.items ?? schema?.properties?.[name])
  }
  if (schema === undefined) throw new Error(`The operation has no field ${look.path}.`)
  const kind = kindOf(schema, look)
  return { ...look, schema, kind, isRequired: look.required ?? isRequired }
}

/** An empty text leaves out a field that may be null. */
function withoutNull(schema: Schema | undefined): Schema | undefined {
  const [only, ...others] = schema?.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return only === undefined || others.length > 0 ? schema : only
}

function kindOf(schema: Schema, { path, choices, time }: Look): Kind {
  if (choices !== undefined) return schema.type === 'array' ? 'list' : 'choice'
  if (schema.format === 'email') return 'email'
  if (schema.format === 'date-time') return time ? 'time' : 'day'
  if (schema.pattern?.startsWith('^\\+') === true) return 'phone'
  if (path.endsWith('_eur')) return 'money'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  return (schema.maxLength ?? 0) > LINE_CHARACTERS_MAX ? 'long' : 'text'
}

type Check = (text: string, field: FormField) => Fault | null

const checks: Partial<Record<Kind, Check>> = {
  money: (text, field) => {
    const { maximum = Infinity } = limitsOf(field)
    if (amountOf(text) > maximum) return 'amount_most'
    return amountOf(text) > 0 ? null : 'amount'
  },
  number: (text, field) => {
    const value = readNumber(text)
    const { minimum = -Infinity, maximum = Infinity } = limitsOf(field)
    const isWhole = field.schema.type === 'integer'
    const isKind = !isWhole || Number.isInteger(value)
    if (isKind && value >= minimum && value <= maximum) return null
    return isWhole ? 'whole' : 'number'
  },
  email: (text) => (emailPattern.test(text) ? null : 'email'),
  phone: (text, { schema: { pattern = '' } }) => (new RegExp(pattern).test(text) ? null : 'phone'),
  list: (text, { schema }) => (text === '' && (schema.minItems ?? 0) > 0 ? 'required' : null),
  // Not for a mistyped year such as 12026, which is no date.
  day: (text) => (endOf(text).getTime() > Date.now() ? null : 'day'),
  time: (text) => (Number.isNaN(Date.parse(text)) ? 'time' : null),
}

/** Null if the text is allowed. */
export function faultOf(field: FormField, text: string): Fault | null {
  if (text === '' && !field.isRequired) return null
  const check = checks[field.kind] ?? (() => (text === '' ? 'required' : null))
  return check(text, field)
}

/** The limits of the typed number. */
export function limitsOf({ schema, scale = 1 }: FormField) {
  const { minimum, maximum } = schema
  return {
    ...(minimum !== undefined && { minimum: Math.ceil(minimum / scale) }),
    ...(maximum !== undefined && { maximum: Math.floor(maximum / scale) }),
  }
}

/** The end of a day such as 2026-12-31, in the time zone of the browser. */
function endOf(day: string): Date {
  return new Date(`${day}T23:59:59`)
}

/** The body without the fields that are empty, hidden, or wrong. */
export function bodyOf(fields: readonly FormField[], texts: Texts): Record<string, unknown> {
  const body = {}
  for (const field of fields) {
    const text = textOf(field, texts)
    const isGiven = text !== '' || (field.kind === 'list' && field.isRequired)
    if (isGiven && field.check?.(text) === undefined && faultOf(field, text) === null)
      put(body, field.path.split('/'), valueOf(field, text))
  }
  return body
}

/** Empty for a hidden field. */
export function textOf({ path, isShown }: Look, texts: Texts): string {
  return isShown?.(texts) === false ? '' : (texts[path] ?? '').trim()
}

function valueOf({ kind, schema, scale = 1, ...look }: FormField, text: string): unknown {
  if (look.toValue !== undefined) return look.toValue(text)
  if (kind === 'money') return amountOf(text)
  if (kind === 'number') return readNumber(text) * scale
  if (kind === 'day') return endOf(text).toJSON()
  if (kind === 'time') return new Date(text).toJSON()
  if (kind === 'list') return text === '' ? [] : text.split('\n')
  return schema.type === 'boolean' ? text === 'true' : text
}

function put(
  parent: Record<string, unknown>,
  [name = '', ...rest]: string[],
  value: unknown,
): void {
  const child = rest.length === 0 ? value : Object(parent[name] ?? (rest[0] === '0' ? [] : {}))
  parent[name] = child
  if (rest.length > 0) put(child, rest, value)
}
