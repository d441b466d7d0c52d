/** The words that conversations add to the contract. */

export const eventTypes = {
  'conversation.summary.ready': 'a chat conversation was closed and its summary is ready',
} as const satisfies Record<string, string>
