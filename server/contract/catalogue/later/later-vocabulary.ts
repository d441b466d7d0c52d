/** Event types of the specification for areas that this server does not have. */
export const laterEventTypes = {
  'email.complained': 'the recipient marked an email as spam',
} as const satisfies Record<string, string>
