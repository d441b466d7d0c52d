/** The portal operation that returns the state of the service to every signed-in person. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { Timestamp, withDescription } from '../../contract/schema/shapes.ts'
import { Status } from './schema.ts'
import * as status from './service.ts'

const { status: Overall, incidents, status_page } = Status.properties

const ServiceNotices = nameSchema(
  'ServiceNotices',
  Type.Object({
    status: Overall,
    incidents,
    planned: Type.Array(
      Type.Object({
        title: Type.String({ description: 'Title.', examples: ['New disks'] }),
        starts_at: withDescription(Timestamp, 'Planned start.'),
        ends_at: withDescription(Timestamp, 'Planned end.'),
      }),
      { description: 'Maintenance within a week, the next first.' },
    ),
    status_page,
  }),
)

export const notices = peopleOperation({
  name: 'service_notices.get',
  route: 'GET /service-notices',
  about: 'Reports whether the service works, with open incidents and planned maintenance.',
  keywords: 'outage, incidents, maintenance, platform health, down',
  access: 'person',
  effect: 'read',
  status: 200,
  reply: ServiceNotices,
  errors: [],
  run: (_input, { runtime }) => status.showNotices(runtime),
})
