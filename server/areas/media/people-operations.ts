/** The operations of the media library for people only. */
import { peopleOperation } from '../../contract/people.ts'
import { Thumbnails, ThumbnailsQuery } from './schema.ts'
import { listThumbnails as linkThumbnails } from './copies/thumbnails.ts'

export const thumbnails = peopleOperation({
  name: 'media.thumbnails',
  route: 'GET /projects/{project_id}/media/thumbnails',
  about:
    'Creates links to small copies of several pictures at once. Each copy is made when its ' +
    'link is first opened. Files that are no pictures are left out.',
  keywords: 'previews, small pictures, gallery',
  access: 'viewer',
  effect: 'read',
  query: ThumbnailsQuery,
  status: 200,
  reply: Thumbnails,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => linkThumbnails(caller, query),
})
