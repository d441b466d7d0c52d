/** Reads the order of a visitor: JSON of a script, or the fields of a form without one. */
import { Problem } from '../../../contract/errors.ts'
import type { GuestCaller, SubmittedField } from '../../../contract/operations/guests.ts'
import { compileSchema, type FieldError } from '../../json-schema/service.ts'
import { PublicOrderInput } from './shop-schema.ts'

export async function readOrderForm(guest: GuestCaller): Promise<PublicOrderInput> {
  const sent = await guest.takeForm(({ field }) => {
    throw invalid([{ path: `/${field}`, message: 'is a file, but orders take none' }])
  })
  const input = 'json' in sent ? sent.json : fromFields(sent.fields)
  const errors = compileSchema(PublicOrderInput).check(input)
  if (errors.length > 0) throw invalid(errors)
  const read = input as PublicOrderInput
  const { length } = read.hp_submission ?? ''
  if (length > 0 && length < 8) {
    throw invalid([{ path: '/hp_submission', message: 'must have 8 to 100 characters' }])
  }
  return { ...read, items: merged(read.items), ...pagesOf(guest, read) }
}

/** The fields product_id and quantity repeat in pairs. A quantity of 0 leaves a product out. */
function fromFields(fields: readonly SubmittedField[]): object {
  const valuesOf = (wanted: string) =>
    fields.filter(({ name }) => name === wanted).map(({ value }) => value.trim())
  const textOf = (name: string) => valuesOf(name)[0] || undefined
  const quantities = valuesOf('quantity')
  const items = valuesOf('product_id').flatMap((product_id, index) => {
    const text = quantities[index] ?? '1'
    return text === '' || text === '0' ? [] : [{ product_id, quantity: numberOf(text) }]
  })
  const customer = defined({
    name: textOf('name'),
    email: textOf('email'),
    phone: textOf('phone'),
  })
  const names = ['note', 'success_url', 'cancel_url', 'hp_submission', 'hp_website'] as const
  return {
    items,
    customer,
    ...defined(Object.fromEntries(names.map((name) => [name, textOf(name)]))),
  }
}

function numberOf(text: string): number | string {
  return /^\d{1,6}$/.test(text) ? Number(text) : text
}

function defined(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** One line for each product, in the order of their first mention. */
function merged(items: PublicOrderInput['items']): PublicOrderInput['items'] {
  const quantities = new Map<string, number>()
  for (const { product_id, quantity } of items) {
    const id = product_id.toLowerCase()
    quantities.set(id, (quantities.get(id) ?? 0) + quantity)
  }
  return [...quantities].map(([product_id, quantity]) => ({ product_id, quantity }))
}

function pagesOf(guest: GuestCaller, input: PublicOrderInput): Partial<PublicOrderInput> {
  const names = ['success_url', 'cancel_url'] as const
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = input[name]
      return text === undefined ? [] : [[name, guest.readPageUrl(name, text)]]
    }),
  )
}

function invalid(errors: readonly FieldError[]): Problem {
  const [first] = errors
  const path = first?.path ?? ''
  return new Problem('validation_failed', `${path} ${first?.message}.`.trim(), { errors })
}
