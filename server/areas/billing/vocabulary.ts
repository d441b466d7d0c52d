/** The event types that billing adds to the contract. */

export const eventTypes = {
  'balance.low': 'the prepaid balance dropped below the threshold',
  'balance.topped_up': 'a top-up was added',
  'balance.reload_failed': 'an automatic top-up failed',
} as const satisfies Record<string, string>
