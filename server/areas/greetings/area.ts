/** Greetings: an example of an area, with one entry of each sort. */
import { defineArea } from '../../contract/area.ts'
import * as events from './events.ts'
import * as operations from './operations.ts'

export const greetings = defineArea({
  name: 'greetings',
  operations: [operations],
  events: [events],
  tools: { 'greetings.create': 'greet' },
})
