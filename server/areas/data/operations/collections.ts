/** The operations of collections. */
import { operation } from '../../../contract/operation.ts'
import { PageQuery } from '../../../contract/pages.ts'
import { changeCollection } from '../change-collection.ts'
import * as collections from '../collections.ts'
import {
  ChangedCollection,
  Collection,
  CollectionChange,
  CollectionInput,
  CollectionList,
  CollectionParams,
  ConfirmQuery,
  DryRunQuery,
} from '../schema.ts'

export const list = operation({
  name: 'collections.list',
  route: 'GET /collections',
  about:
    'The collections of the project, newest first, each with its schema and how much is in it. A ' +
    'limited key sees those it may use.',
  scope: 'data:read',
  reach: 'selection',
  effect: 'read',
  query: PageQuery,
  status: 200,
  reply: CollectionList,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => collections.list(caller, query),
})

export const create = operation({
  name: 'collections.create',
  route: 'POST /collections',
  about:
    'Makes a collection of documents. With a schema, documents that do not match it are refused; ' +
    'nobody but the keys of the project can read or write it unless it says so.',
  scope: 'data:write',
  reach: 'project',
  effect: 'write',
  body: CollectionInput,
  status: 201,
  reply: Collection,
  errors: ['collection_name_taken', 'collection_limit_reached'],
  run: ({ body }, caller) => collections.create(caller, body),
})

export const find = operation({
  name: 'collections.get',
  route: 'GET /collections/{name}',
  about: 'One collection, with its schema and how much is in it.',
  scope: 'data:read',
  reach: 'selection',
  effect: 'read',
  params: CollectionParams,
  status: 200,
  reply: Collection,
  errors: ['not_found'],
  run: ({ params }, caller) => collections.show(caller, params.name),
})

export const change = operation({
  name: 'collections.update',
  route: 'PATCH /collections/{name}',
  about:
    'Changes what is named; each member is replaced as a whole. Documents that do not fit a new ' +
    'schema stay, and misfits tells of them; dry_run tells without changing anything. The name ' +
    'cannot be changed.',
  scope: 'data:write',
  reach: 'selection',
  effect: 'write',
  params: CollectionParams,
  query: DryRunQuery,
  body: CollectionChange,
  status: 200,
  reply: ChangedCollection,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query, body }, caller) =>
    changeCollection(caller, { name: params.name, change: body, dry_run: query.dry_run }),
})

export const remove = operation({
  name: 'collections.delete',
  route: 'DELETE /collections/{name}',
  about:
    'Deletes a collection and everything in it. With documents in it, give confirm, with the name ' +
    'of the collection, in the first request; without it nothing is done and nobody is asked.',
  consent: {
    about: 'Deletes a collection and everything in it.',
    loses: ({ params, query }, caller) => collections.findLoss(caller, params.name, query.confirm),
  },
  scope: 'data:write',
  reach: 'selection',
  effect: 'write',
  params: CollectionParams,
  query: ConfirmQuery,
  status: 204,
  errors: ['not_found', 'invalid_parameter', 'confirmation_required'],
  run: ({ params, query }, caller) => collections.remove(caller, params.name, query.confirm),
})
