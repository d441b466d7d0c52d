/** The voice assistant: its profile, its knowledge and its answers. */
import { defineArea } from '../../contract/area.ts'
import { indexWebsite } from './jobs.ts'
import * as operations from './operations.ts'

export const assistant = defineArea({
  name: 'assistant',
  operations: [operations],
  jobs: [indexWebsite],
})
