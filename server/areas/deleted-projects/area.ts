/** Deleted projects: the bin, restoration, and the removal of everything after it. */
import { defineArea } from '../../contract/area.ts'
import { sendProjectNotice } from './jobs.ts'
import * as operations from './people-operations.ts'
import { purgeDeletedProjects, purgeProject } from './purge/jobs.ts'

export const deletedProjects = defineArea({
  name: 'deleted-projects',
  peopleOperations: [operations],
  jobs: [sendProjectNotice, purgeProject],
  reconcilers: [purgeDeletedProjects],
})
