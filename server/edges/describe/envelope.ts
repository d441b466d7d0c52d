/** The JSON Schema of webhook request bodies. */
import type { EventSource } from '../../contract/events.ts'
import { eventTypes } from '../../contract/event-types.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { createExample } from './samples/example.ts'
import type { JsonSchema } from './json-schema.ts'
import { toPascalCase } from './words.ts'

/** Returns the schema of one event type: four fields, of which `data` depends on the type. */
export function createEnvelope({ type, data }: Pick<EventSource, 'type' | 'data'>): JsonSchema {
  return nameSchema(`${toPascalCase(type)}Event`, {
    type: 'object',
    description: `Sent when: ${eventTypes[type]}.`,
    required: ['id', 'type', 'created_at', 'data'],
    properties: {
      id: {
        type: 'string',
        pattern: '^evt_[0-9a-f]{32}$',
        description: 'Id of the event, the same on every retry. Handle each id once.',
        examples: ['evt_019aafe27c3a7d419f523b8e6a1c4d20'],
      },
      type: { type: 'string', const: type, description: 'The event type.' },
      created_at: { type: 'string', format: 'date-time', description: 'When the event happened.' },
      data: { description: 'The subject of the event.', ...data },
    },
  })
}

export function createEventExample(source: EventSource): unknown {
  return createExample(createEnvelope(source))
}
