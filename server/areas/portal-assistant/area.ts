/** The assistant of the portal: answers, and proposes operations that the signed-in person runs. */
import { defineArea } from '../../contract/area.ts'
import { purgeConversations } from './jobs.ts'
import * as peopleOperations from './people-operations.ts'

export const portalAssistant = defineArea({
  name: 'portal-assistant',
  peopleOperations: [peopleOperations],
  reconcilers: [purgeConversations],
  guides: [
    {
      page: 'portal-assistant',
      group: 'Basics',
      title: 'The assistant of the portal',
      card: {
        title: 'Portal assistant',
        text: 'Ask the portal, and let it prepare what you then confirm.',
      },
    },
  ],
})
