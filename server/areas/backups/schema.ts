/** Shapes of backups in the operator's API. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../contract/schema/named.ts'
import { orNull, Timestamp } from '../../contract/schema/shapes.ts'

const moment = (description: string) =>
  orNull(Type.String({ format: 'date-time', examples: ['2026-11-27T03:00:00Z'] }), description)

const OperatedBackup = nameSchema(
  'OperatedBackup',
  Type.Object({
    name: Type.String({
      description: 'Name of the file.',
      examples: ['homeport-20261127T030000123Z-a1b2c3.backup'],
    }),
    state: Type.Enum(['running', 'complete', 'failed'], {
      description: 'failed: there is no file.',
      examples: ['complete'],
    }),
    started_at: Timestamp,
    finished_at: moment('null while it runs, and for a file that this database did not write.'),
    bytes: orNull(Type.Integer({ examples: [83_886_080] }), 'Size of the file; null without one.'),
    error: orNull(Type.String({ examples: ['ENOSPC'] }), 'Why it failed.'),
    tested_at: moment('When it was last restored as a test.'),
    test_error: orNull(Type.String({ examples: ['Checksum'] }), 'Why the test failed.'),
  }),
)

export const OperatedBackups = nameSchema(
  'OperatedBackups',
  Type.Object({
    enabled: Type.Boolean({
      description: 'Whether HOMEPORT_BACKUPS names a folder or a bucket.',
      examples: [true],
    }),
    next_at: moment('Time of the next backup; null without a schedule.'),
    test_days: Type.Integer({
      description: 'Days between restore tests; 0: none.',
      examples: [7],
    }),
    data: Type.Array(OperatedBackup, { description: 'The newest 100, newest first.' }),
  }),
)
export type OperatedBackups = Static<typeof OperatedBackups>
