/** Greets people, and emits an event for each greeting. */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import * as webhooks from '../webhooks/service.ts'
import type { Greeting, GreetingInput } from './schema.ts'

export async function greet(
  { runtime, db, project }: Caller,
  { name }: GreetingInput,
): Promise<Greeting> {
  if (name !== name.trim()) {
    throw new Problem('greeting_refused', 'The name begins or ends with a space.')
  }
  await db.transact((tx) =>
    webhooks.emit(tx, runtime, {
      project_id: project.id,
      type: 'greeting.made',
      subject: { name },
    }),
  )
  return { text: `Hello ${name}` }
}
