/** Greetings as the API takes and returns them. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { named } from '../../contract/named.ts'

export const GreetingInput = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: limits.greeting_name_characters_max,
      description: 'The name of the person.',
      examples: ['Anna'],
    }),
  },
  { additionalProperties: false },
)
export type GreetingInput = Static<typeof GreetingInput>

export const Greeting = named(
  'Greeting',
  Type.Object({
    text: Type.String({ description: 'The greeting.', examples: ['Hello Anna'] }),
  }),
)
export type Greeting = Static<typeof Greeting>
