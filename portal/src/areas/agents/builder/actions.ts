/** The actions that the builder offers, with example arguments. */
import { useActionTexts } from './texts.ts'

/** Mails the owners and admins; the only action that is not an operation. */
export const NOTIFY_OWNER = 'notify.owner'

const starts = {
  [NOTIFY_OWNER]: { subject: '', text: '' },
  'documents.create': { name: 'log', body: { note: '{{today}}' } },
  'documents.list': { name: 'log', filter: 'created_at > @now - 1d', limit: 20 },
  'documents.update': { name: 'log', id: '{{event.data.document.id}}', body: { seen: true } },
  'messages.send': { to: '{{event.data.document.data.phone}}', text: 'Thank you for your order.' },
  'emails.create': {
    from: 'info@example.com',
    to: ['{{event.data.document.data.email}}'],
    subject: 'Thank you',
    text: 'We received your message.',
  },
  'orders.create': {
    items: [{ name: 'Deposit', quantity: 1, unit_price_eur: 25, vat_percent: 21 }],
  },
  'orders.list': { since: '{{today_start}}', limit: 20 },
  'payment_links.create': { description: 'Deposit', amount_eur: 25 },
  'calls.list': { since: '{{today_start}}', limit: 20 },
  'unanswered_questions.list': { limit: 20 },
  'assistant_facts.create': { question: 'Are you open today?', answer: 'Yes, until 17:00.' },
} as const

/** Actions that have a name, but are not offered. */
const others = ['orders.refund', 'calls.place', 'sites.visits'] as const

export type KnownAction = keyof typeof starts

export const knownActions = Object.keys(starts).filter((name): name is KnownAction =>
  Object.hasOwn(starts, name),
)

export function isKnown(name: string): name is KnownAction {
  return Object.hasOwn(starts, name)
}

/** The example arguments of a new step, as JSON. */
export function startingInput(name: KnownAction): string {
  return JSON.stringify(starts[name], null, 2)
}

/** Returns a function that names an action; operations without a name keep their operationId. */
export function useActionName(): (action: string) => string {
  const t = useActionTexts()
  return (action) => {
    const known = isKnown(action) ? action : others.find((name) => name === action)
    return known === undefined ? action : t(known)
  }
}
