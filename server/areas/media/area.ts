/** The media library: uploads, images, recordings and links to them. */
import { defineArea } from '../../contract/area.ts'
import { readLater } from './jobs.ts'
import * as operations from './operations.ts'
import * as peopleOperations from './people-operations.ts'

export const media = defineArea({
  name: 'media',
  operations: [operations],
  peopleOperations: [peopleOperations],
  jobs: [readLater],
  exported: [{ table: 'media' }, { table: 'media_uses' }, { table: 'picture_copies' }],
  guides: [
    {
      page: 'media',
      group: 'Websites and data',
      title: 'Media library',
      card: { title: 'Media', text: 'Pictures, recordings and files.' },
    },
  ],
})
