/** Errors of greetings. */
import type { ErrorEntry } from '../../contract/catalogue/error-entry.ts'

export const errors = {
  greeting_refused: {
    status: 422,
    about: 'The name begins or ends with a space.',
    user: 'This name cannot be greeted as it is written.',
    next: 'Remove the spaces at both ends of the name and send POST /greetings again.',
  },
} as const satisfies Record<string, ErrorEntry>
