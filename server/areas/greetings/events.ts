/** The payload of greeting.made. */
import { event } from '../../contract/events.ts'
import { Greeting } from './schema.ts'

export const greetingMade = event({
  type: 'greeting.made',
  data: Greeting,
  load: async (_db, _project_id, { name }: { name: string }) => ({ text: `Hello ${name}` }),
})
