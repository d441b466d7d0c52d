/** The voice assistant: its profile, its knowledge and its answers. */
import { defineArea } from '../../contract/area.ts'
import { pickFields } from '../../contract/state-section.ts'
import { indexWebsite } from './jobs.ts'
import * as operations from './operations.ts'
import * as peopleOperations from './people-operations.ts'

export const assistant = defineArea({
  name: 'assistant',
  operations: [operations],
  peopleOperations: [peopleOperations],
  jobs: [indexWebsite],
  state: [
    {
      name: 'assistant',
      about: 'assistant',
      operation: 'assistant.get',
      show: (reply) => pickFields(reply, ['configured', 'name', 'languages', 'timezone']),
    },
  ],
  guides: [
    {
      page: 'assistant',
      group: 'Phone',
      title: 'The assistant',
      card: {
        title: 'Assistant',
        text: 'Facts, instructions and opening hours of the voice assistant.',
      },
    },
  ],
})
