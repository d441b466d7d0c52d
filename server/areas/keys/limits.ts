/** Limits of keys. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  key_name_characters_max: {
    value: 100,
    unit: 'characters',
    about: 'Length of the name of a key',
    applies_to: 'the portal',
  },
  keys_max: {
    value: 100,
    unit: 'keys',
    about: 'Keys of a project that are neither revoked nor expired',
    applies_to: 'the portal',
  },
  key_sites_max: {
    value: 100,
    unit: 'sites',
    about: 'Sites, and apps, that a key can be limited to',
    applies_to: 'the portal',
  },
} as const satisfies Record<string, LimitEntry>
