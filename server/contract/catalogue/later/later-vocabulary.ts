/** Event types of the specification for areas that this server does not have. */
import type { LimitedToEntry } from '../entries/limited-to-entry.ts'

export const laterEventTypes = {
  'email.complained': 'the recipient marked an email as spam',
} as const satisfies Record<string, string>

export const laterLimitedTo = {
  apps: { about: 'Ids of the apps.', values: 'Ids of apps of the project.', chosen: true },
} as const satisfies Record<string, LimitedToEntry>
