/** Portal operations of connections: list, limit, end. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import * as connections from './connections.ts'
import { Connection, ConnectionChange, ConnectionParams } from './schema.ts'
import { parseLimits } from './connection-limits.ts'

const root = '/projects/{project_id}/connections'

export const list = peopleOperation({
  name: 'connections.list',
  route: `GET ${root}`,
  about:
    'Lists the connected clients of the project, newest first. Owners and admins see ' +
    'all, other members their own.',
  keywords:
    'ChatGPT, Claude, chatbots, connected assistants, AI apps, OAuth, which can get in, ' +
    'access, MCP clients, which assistants, agents get at my data, hooked up, linked programs, ' +
    'authorised',
  access: 'viewer',
  reach: 'selection',
  effect: 'read',
  status: 200,
  reply: Type.Object({
    data: Type.Array(Connection, { description: 'The connections of the project.' }),
  }),
  errors: [],
  run: async (_input, caller) => ({ data: await connections.list(caller.runtime, caller) }),
})

export const change = peopleOperation({
  name: 'connections.change',
  route: `PATCH ${root}/{id}`,
  about:
    'Removes scopes of a connection, or limits it to some sites and apps, from its ' +
    'next request on. Only owners and admins change limits.',
  keywords:
    'restrict assistant, ChatGPT, Claude, permissions, scopes, fewer rights, read only, ' +
    'narrow, take away rights',
  access: 'viewer',
  fresh: true,
  reach: 'selection',
  effect: 'write',
  params: ConnectionParams,
  body: ConnectionChange,
  status: 200,
  reply: Connection,
  errors: ['not_found', 'conflict'],
  async run({ params: { id }, body }, caller) {
    const { access: wanted, scopes } = body
    const access = wanted === undefined ? undefined : await parseLimits(caller, wanted)
    return connections.change(caller.runtime, caller, { id, scopes, access })
  },
})

export const remove = peopleOperation({
  name: 'connections.delete',
  route: `DELETE ${root}/{id}`,
  about: 'Ends a connection. Its tokens get 401 from the next request on.',
  keywords:
    'disconnect, ChatGPT, Claude, AI thing, hooked up, throw out, agent, revoke, OAuth, ' +
    'unlink, linked program, agency, unplug, remove access',
  access: 'viewer',
  reach: 'selection',
  effect: 'write',
  params: ConnectionParams,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => connections.revoke(caller.runtime, caller, params.id),
})
