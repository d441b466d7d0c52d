/** The operation of the portal about sites that were taken offline. */
import { Type } from 'typebox'
import { peopleOperation } from '../../../contract/people.ts'
import { withDescription, Uuid } from '../../../contract/schema/shapes.ts'
import { listOffline } from './offline-sites.ts'

export const offline = peopleOperation({
  name: 'sites.offline',
  route: 'GET /projects/{project_id}/offline-sites',
  about:
    'Lists the sites that were taken offline, each with the reason and the page where you ' +
    'can appeal against it.',
  keywords: 'blocked, taken down by operator, appeal, why is my website down, takedown, abuse',
  access: 'viewer',
  reach: 'selection',
  effect: 'read',
  status: 200,
  reply: Type.Object({
    data: Type.Array(
      Type.Object(
        {
          id: withDescription(Uuid, 'Id of the site.'),
          slug: Type.String({
            description: 'Name of the site in its address.',
            examples: ['bakery'],
          }),
          reason: Type.String({
            description: 'Why it was taken offline; empty if no reason was given.',
            examples: ['Phishing.'],
          }),
          appeal_url: Type.String({
            description: 'The page where the owner can appeal, without signing in.',
            examples: ['https://home.example/portal/appeals/3f9c'],
          }),
        },
        { title: 'A site that is offline' },
      ),
      { description: 'The sites that are offline, newest first.' },
    ),
  }),
  errors: [],
  run: async (_input, caller) => ({ data: await listOffline(caller) }),
})
