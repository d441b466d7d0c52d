/** Fixture operations for the tests in this folder, one of each kind. */
import { Type } from 'typebox'
import { operation, publicOperation, type Operation } from '../../contract/operation.ts'
import { nameSchema } from '../../contract/schema/named.ts'

const Id = Type.Object({ id: Type.String({ format: 'uuid', description: 'Id of the boat.' }) })

export const Boat = nameSchema(
  'Boat',
  Type.Object(
    {
      id: Type.String({ format: 'uuid', description: 'Id of the boat.' }),
      name: Type.String({ description: 'What is painted on the bow.' }),
      version: Type.Integer({ minimum: 1, description: 'Grows by one with each change.' }),
    },
    { description: 'A boat in the harbour.' },
  ),
)

const run = async (): Promise<never> => {
  throw new Error('Only described, never run.')
}

export const list: Operation = operation({
  name: 'boats.list',
  route: 'GET /boats',
  about: 'The boats in the harbour. Newest first.',
  scope: 'sites:read',
  reach: 'selection',
  effect: 'read',
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many.' }),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before.' })),
  }),
  status: 200,
  reply: Type.Object({ data: Type.Array(Boat, { description: 'The boats.' }) }),
  errors: [],
  run,
})

export const get: Operation = operation({
  name: 'boats.get',
  route: 'GET /boats/{id}',
  about: 'One boat.',
  scope: 'sites:read',
  reach: 'selection',
  effect: 'read',
  params: Id,
  status: 200,
  reply: Boat,
  headers: { etag: 'version' },
  errors: ['not_found'],
  run,
})

export const put: Operation = operation({
  name: 'boats.put',
  route: 'PUT /boats/{id}',
  about: 'Changes a boat.',
  scope: 'sites:write',
  reach: 'selection',
  effect: 'write',
  params: Id,
  body: Type.Object(
    { name: Type.String({ description: 'A new name.' }) },
    { examples: [{ name: "Queen's Pride" }] },
  ),
  status: 200,
  reply: Boat,
  headers: { etag: 'version' },
  errors: [],
  run,
})

export const order: Operation = operation({
  name: 'boats.order',
  route: 'POST /boats',
  about: 'Orders a boat.',
  consent: { about: 'Orders a boat.', costs: () => null },
  scope: 'sites:write',
  reach: 'project',
  effect: 'money',
  body: Type.Object({
    name: Type.String({ description: 'Its name.', examples: ['Sea Horse'] }),
  }),
  status: 201,
  reply: Boat,
  headers: { idempotency_key: 'required' },
  errors: ['insufficient_balance', 'plan_limit_reached', 'test_free_calls_used'],
  run,
})

export const sink: Operation = operation({
  name: 'boats.sink',
  route: 'DELETE /test/boats/{id}',
  about: 'Sinks a boat of the test harbour.',
  scope: 'sites:write',
  reach: 'project',
  effect: 'write',
  params: Id,
  status: 204,
  errors: ['version_conflict'],
  run,
})

export const weather: Operation = publicOperation({
  name: 'weather.get',
  route: 'GET /weather',
  about: 'The weather in the harbour.',
  effect: 'read',
  status: 200,
  reply: Type.Object({ wind: Type.Enum(['calm', 'storm'], { description: 'How it blows.' }) }),
  errors: [],
  run,
})

export const exampleOperations: readonly Operation[] = [list, get, put, order, sink, weather]
