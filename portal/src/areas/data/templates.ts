/** Templates for the fields of a new collection. */
import type { NewCollection } from './queries.ts'

export type Template = 'free' | 'contacts' | 'bookings' | 'orders'

const text = { type: 'string', maxLength: 200 }
const long = { type: 'string', maxLength: 2000 }
const name = { type: 'string', minLength: 1, maxLength: 200 }
const email = { type: 'string', format: 'email' }
const date = { type: 'string', format: 'date' }

export const templates: Readonly<Record<Template, Pick<NewCollection, 'schema' | 'indexes'>>> = {
  free: {},
  contacts: {
    schema: {
      type: 'object',
      properties: { name, email, phone: text, company: text, notes: long },
      required: ['name'],
    },
    indexes: ['email'],
  },
  bookings: {
    schema: {
      type: 'object',
      properties: {
        name,
        email,
        date,
        time: text,
        guests: { type: 'integer', minimum: 1 },
        status: { type: 'string', enum: ['new', 'confirmed', 'cancelled'] },
        notes: long,
      },
      required: ['name', 'date'],
    },
    indexes: ['date', 'status'],
  },
  orders: {
    schema: {
      type: 'object',
      properties: {
        name,
        email,
        product: text,
        quantity: { type: 'integer', minimum: 1 },
        status: { type: 'string', enum: ['new', 'ready', 'delivered', 'cancelled'] },
        notes: long,
      },
      required: ['name', 'product'],
    },
    indexes: ['status'],
  },
}
