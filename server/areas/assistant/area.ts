/** The voice assistant: its profile, its knowledge and its answers. */
import { defineArea } from '../../contract/area.ts'
import { pickFields } from '../../contract/manifest/state-section.ts'
import * as operations from './operations/assistant.ts'
import * as peopleOperations from './people-operations.ts'
import { indexSources, refreshSources } from './sources/index-jobs.ts'
import * as sourceOperations from './operations/sources.ts'
import * as toolOperations from './operations/tools.ts'

export const assistant = defineArea({
  name: 'assistant',
  operations: [operations, sourceOperations, toolOperations],
  peopleOperations: [peopleOperations],
  jobs: [indexSources],
  reconcilers: [refreshSources],
  state: [
    {
      name: 'assistant',
      about: 'assistant',
      operation: 'assistant.get',
      show: (reply) => pickFields(reply, ['configured', 'name', 'languages', 'timezone']),
    },
  ],
  exported: [
    { table: 'assistants' },
    { table: 'assistant_sources' },
    { table: 'assistant_source_pages' },
    { table: 'assistant_passages' },
    { table: 'model_usage', for_reading: true },
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
    {
      page: 'answers',
      group: 'Phone',
      title: 'How well it answers',
      card: { title: 'Quality', text: 'Measured answers of the built-in model, and its limits.' },
    },
  ],
})
