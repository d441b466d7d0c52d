/** The operation of greetings. */
import { operation } from '../../contract/operation.ts'
import { Greeting, GreetingInput } from './schema.ts'
import * as greetings from './service.ts'

export const create = operation({
  name: 'greetings.create',
  route: 'POST /greetings',
  about: 'Greets a person by name.',
  scope: 'greetings:write',
  reach: 'project',
  effect: 'write',
  body: GreetingInput,
  status: 201,
  reply: Greeting,
  errors: ['greeting_refused'],
  run: ({ body }, caller) => greetings.greet(caller, body),
})
