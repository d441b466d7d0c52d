/** Limits of the activity. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  activity_kept_s: {
    value: 90 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long the activity of a project is kept',
    applies_to: 'GET /activity',
  },
  activity_kept_max: {
    value: 100_000,
    unit: 'entries',
    about: 'Newest entries of the activity of a project that are kept; older ones are deleted',
    applies_to: 'GET /activity',
  },
  record_streams_per_caller_max: {
    value: 10,
    unit: 'streams',
    about: 'Open streams of changed kinds of records of a key or a person, per process',
    applies_to: 'GET /activity/stream',
  },
  record_streams_per_project_max: {
    value: 100,
    unit: 'streams',
    about: 'Open streams of changed kinds of records of a project, per process',
    applies_to: 'GET /activity/stream',
  },
  record_events_pause_s: {
    value: 5,
    unit: 'seconds',
    about:
      'Pause after an event of the stream of changed kinds of records, which gathers further ones',
    applies_to: 'GET /activity/stream',
  },
} as const satisfies Record<string, LimitEntry>
