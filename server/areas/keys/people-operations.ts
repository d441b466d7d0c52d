/** The operations of owners and admins on the keys of a project: list, create, limit and revoke. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import * as context from './manage.ts'
import { Key, KeyChange, KeyInput, KeyParams, NewKey } from './schema.ts'

const root = '/projects/{project_id}/keys'

export const list = peopleOperation({
  name: 'keys.list',
  route: `GET ${root}`,
  about:
    'Lists the keys of the project, newest first, including revoked ones. A member ' +
    'limited to some sites sees only their own keys.',
  keywords:
    'API keys, credentials, tokens, which programs get in, last used, access, unused keys, web ' +
    'builder, active',
  access: 'admin',
  reach: 'selection',
  effect: 'read',
  status: 200,
  reply: Type.Object({ data: Type.Array(Key, { description: 'The keys of the project.' }) }),
  errors: [],
  run: async (_input, caller) => ({ data: await context.listKeys(caller) }),
})

export const create = peopleOperation({
  name: 'keys.create',
  route: `POST ${root}`,
  about:
    'Creates a key. Test keys can be created at any time, live keys once the company ' +
    'is verified. The key is only in this reply. It never has more rights than the ' +
    'person who creates it.',
  keywords:
    'API key, credentials, token, read-only, scopes, expiry, password for a program, ' +
    'accountant software, bookkeeping, developer, generate, mint, secret code, rotate, staging ' +
    'backend, access for software, script, replace lost key, programmer, web builder, till',
  access: 'admin',
  fresh: true,
  reach: 'selection',
  effect: 'write',
  body: KeyInput,
  status: 201,
  reply: NewKey,
  errors: ['verification_required'],
  run: ({ body }, caller) => context.createKey(caller, body),
})

export const change = peopleOperation({
  name: 'keys.change',
  route: `PATCH ${root}/{key_id}`,
  about:
    'Changes the name or limits of a key, from its next request on. Scopes cannot be ' +
    'changed; create another key instead.',
  keywords: 'API key, rename, restrict, limits, permissions, narrow, fewer rights',
  access: 'admin',
  fresh: true,
  reach: 'selection',
  effect: 'write',
  params: KeyParams,
  body: KeyChange,
  status: 200,
  reply: Key,
  errors: ['not_found', 'conflict'],
  run: ({ params, body }, caller) => context.changeKey(caller, params.key_id, body),
})

export const revoke = peopleOperation({
  name: 'keys.revoke',
  route: `DELETE ${root}/{key_id}`,
  about: 'Revokes a key permanently: it gets 401 from its next request on.',
  keywords:
    'API key, credential, compromised, leaked, pasted, disable, delete, rotate, block, agency, ' +
    'secret, kill, stolen, old developer, invalid, stop working, GitHub',
  access: 'admin',
  fresh: true,
  reach: 'selection',
  effect: 'write',
  params: KeyParams,
  status: 204,
  errors: ['not_found'],
  run: async ({ params }, caller) => {
    await context.revokeKey(caller, params.key_id)
  },
})
