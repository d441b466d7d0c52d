/** Limits of greetings. */
import type { LimitEntry } from '../../contract/catalogue/limit-entry.ts'

export const limits = {
  greeting_name_characters_max: {
    value: 40,
    unit: 'characters',
    about: 'Length of a name that is greeted',
    applies_to: 'POST /greetings',
  },
} as const satisfies Record<string, LimitEntry>
