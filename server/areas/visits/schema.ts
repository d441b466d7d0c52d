/** Shapes of page views. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { markAsOutsiders } from '../../contract/schema/outsiders.ts'
import { RequestDay, Uuid, withDescription } from '../../contract/schema/shapes.ts'

export const SHOWN_MAX = 50

const day = (about: string, example: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description: `${about}, as a UTC date.`,
    examples: [example],
  })
const Views = Type.Integer({ description: 'Number of page views.', examples: [42] })

export const SiteId = Type.Object(
  { id: withDescription(Uuid, 'Id of the site.') },
  { additionalProperties: false },
)

export const VisitsQuery = Type.Object(
  {
    from: Type.Optional(
      withDescription(
        RequestDay,
        'The first day, as a UTC date; default: 29 days before the last.',
      ),
    ),
    to: Type.Optional(
      withDescription(
        RequestDay,
        `The last day, as a UTC date, at most ${limits.visits_days_max} days later; default: today.`,
      ),
    ),
  },
  { additionalProperties: false },
)
export type VisitsQuery = Static<typeof VisitsQuery>

export const Visits = Type.Object({
  from: day('The first day', '2026-11-01'),
  to: day('The last day', '2026-11-30'),
  views: Type.Integer({ description: 'Page views of all days.', examples: [1_260] }),
  days: Type.Array(Type.Object({ day: day('The day', '2026-11-01'), views: Views }), {
    description: 'Every day from the first to the last, also those without views.',
  }),
  pages: Type.Array(
    Type.Object({
      path: markAsOutsiders(
        Type.Union([Type.String(), Type.Null()], {
          description: 'Path of the page; null for all paths beyond the counted ones.',
          examples: ['/menu'],
        }),
      ),
      views: Views,
    }),
    { description: `The ${SHOWN_MAX} most viewed pages.` },
  ),
  referrers: Type.Array(
    Type.Object({
      host: markAsOutsiders(
        Type.Union([Type.String(), Type.Null()], {
          description:
            'Host of the page with the link; null for all hosts beyond the counted ones.',
          examples: ['google.com'],
        }),
      ),
      views: Views,
    }),
    {
      description:
        `The ${SHOWN_MAX} hosts from which most visitors came. Views without a referrer and links ` +
        'within the site are not among them.',
    },
  ),
})
export type Visits = Static<typeof Visits>
