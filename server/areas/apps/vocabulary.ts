/** The limits of keys that apps add to the contract. */
import type { LimitedToEntry } from '../../contract/catalogue/entries/limited-to-entry.ts'

export const limitedTo = {
  apps: { about: 'Ids of the apps.', values: 'Ids of apps of the project.', chosen: true },
} as const satisfies Record<string, LimitedToEntry>
