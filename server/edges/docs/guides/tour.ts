/**
 * The tour of the start page, from a key to a test call that the assistant answers. Each step is
 * one request. A test validates the route and body of every step.
 */
import type { Route } from '../../../contract/operation.ts'

export interface TourStep {
  title: string
  text: string
  route: Route
  /** The path with shell variables, if it differs from that of the route. */
  path?: string
  headers?: readonly string[]
  body?: unknown
  /** A value of the reply that a later step needs. */
  keep?: { variable: string; field: string }
}

export const tour: readonly TourStep[] = [
  {
    title: 'See your project',
    text: 'The project of the key, and its rails.',
    route: 'GET /project',
  },
  {
    title: 'Take a phone number',
    text: 'A test number is free, works at once and never reaches a carrier. The Idempotency-Key makes sure that a retry never takes a second one.',
    route: 'POST /numbers',
    headers: ['Idempotency-Key: first-number'],
    body: {},
    keep: { variable: 'NUMBER_ID', field: 'id' },
  },
  {
    title: 'Set up the assistant',
    text: 'It answers from these facts and instructions, and says so when it does not know an answer.',
    route: 'PUT /assistant',
    body: {
      name: 'Mill Bakery',
      greeting: 'Mill Bakery, good day.',
      instructions: 'We bake sourdough bread. Orders are made by phone, one day ahead.',
      languages: ['en'],
      timezone: 'Europe/Amsterdam',
      opening_hours: [
        { day: 'tue', from: '08:00', to: '17:00' },
        { day: 'sat', from: '08:00', to: '16:00' },
      ],
      facts: [
        {
          question: 'What does a sourdough loaf cost?',
          answer: 'A sourdough loaf costs 4.50 euro.',
        },
      ],
    },
  },
  {
    title: 'Decide what happens to a call',
    text: 'A call plan is a set of nodes. This one rings a phone for twenty seconds and then hands over to the assistant.',
    route: 'PUT /numbers/{id}/call-plan',
    path: '/numbers/$NUMBER_ID/call-plan',
    body: {
      entry: 'ring',
      nodes: {
        ring: {
          id: 'ring',
          type: 'forward',
          strategy: 'sequential',
          targets: [{ kind: 'external', e164: '+31201234567' }],
          ringSeconds: 20,
          onNoAnswer: 'assistant',
        },
        assistant: { id: 'assistant', type: 'ai_agent' },
      },
    },
  },
  {
    title: 'Receive events',
    text: 'The reply contains the secret that signs every request; it is shown only once. Use the URL of your own receiver.',
    route: 'POST /webhooks',
    body: {
      url: 'https://example.com/hooks/homeport',
      events: ['call.completed', 'call.summary.ready'],
    },
    keep: { variable: 'WEBHOOK_ID', field: 'id' },
  },
  {
    title: 'Call the number',
    text: 'The caller follows a script. The call uses the real plan and the real assistant, and the reply is sent when it has ended.',
    route: 'POST /test/calls',
    body: {
      number_id: '$NUMBER_ID',
      turns: [
        { say: 'What does a sourdough loaf cost?' },
        { say: 'Are you open on Saturday?' },
        { say: 'Thank you, goodbye.' },
      ],
    },
    keep: { variable: 'CALL_ID', field: 'id' },
  },
  {
    title: 'Read the transcript',
    text: 'The transcript, and the summary once it is ready. Your receiver gets both events, signed.',
    route: 'GET /calls/{id}',
    path: '/calls/$CALL_ID',
  },
  {
    title: 'Stop receiving events',
    text: 'An endpoint whose receiver does not answer is retried for two days. Keep it if the receiver is yours.',
    route: 'DELETE /webhooks/{id}',
    path: '/webhooks/$WEBHOOK_ID',
  },
]
