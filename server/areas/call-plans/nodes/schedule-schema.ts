/** The opening hours of an openingHours node. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { labelSchema } from './node-fields.ts'

const TimeRange = nameSchema(
  'TimeRange',
  Type.Object(
    {
      from: Type.String({
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        title: 'a time such as 09:00',
        description: 'Time of day at which the range begins.',
        examples: ['09:00'],
      }),
      to: Type.String({
        pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
        title: 'a time such as 17:30',
        description: 'Time of day at which the range ends, at most 24:00.',
        examples: ['17:30'],
      }),
    },
    {
      description:
        'A range of opening hours. If to is before from, the range ends on the next day.',
    },
  ),
)

const timesOfDay = (description: string) =>
  Type.Optional(
    Type.Array(TimeRange, {
      maxItems: 10,
      description,
      examples: [[{ from: '09:00', to: '17:30' }]],
    }),
  )

export const Schedule = nameSchema(
  'OpeningSchedule',
  Type.Object(
    {
      timezone: Type.String({
        minLength: 1,
        description: 'IANA time zone.',
        examples: ['Europe/Amsterdam'],
      }),
      week: Type.Object(
        {
          mon: timesOfDay('Opening hours on Monday.'),
          tue: timesOfDay('Opening hours on Tuesday.'),
          wed: timesOfDay('Opening hours on Wednesday.'),
          thu: timesOfDay('Opening hours on Thursday.'),
          fri: timesOfDay('Opening hours on Friday.'),
          sat: timesOfDay('Opening hours on Saturday.'),
          sun: timesOfDay('Opening hours on Sunday.'),
        },
        {
          additionalProperties: false,
          description: 'Opening hours by day of the week. A day left out is closed.',
          examples: [{ mon: [{ from: '09:00', to: '17:30' }] }],
        },
      ),
      exceptions: Type.Optional(
        Type.Array(
          Type.Object(
            {
              date: Type.String({
                pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
                title: 'a date such as 2026-12-25',
                description: 'The date.',
                examples: ['2026-12-25'],
              }),
              closed: Type.Optional(
                Type.Boolean({
                  description: 'Whether the business is closed all day.',
                  examples: [true],
                }),
              ),
              ranges: timesOfDay('Opening hours on this date.'),
              label: Type.Optional(labelSchema('Label for people. Never spoken.', 'Christmas')),
            },
            {
              description:
                'A date on which the weekly hours do not apply: closed, or with the hours ' +
                'in ranges.',
            },
          ),
          {
            maxItems: 366,
            description: 'Dates with different hours.',
            examples: [[{ date: '2026-12-25', closed: true }]],
          },
        ),
      ),
    },
    {
      description: 'Opening hours of this node.',
      examples: [{ timezone: 'Europe/Amsterdam', week: { mon: [{ from: '09:00', to: '17:30' }] } }],
    },
  ),
)
export type Schedule = Static<typeof Schedule>
