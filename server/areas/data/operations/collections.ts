/** The operations of collections. */
import { operation } from '../../../contract/operation.ts'
import { PageQuery } from '../../../contract/schema/pages.ts'
import { changeCollection } from '../collections/change-collection.ts'
import * as collections from '../collections/collections.ts'
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
    'Lists the collections of the project, newest first, with schema, document count ' +
    'and size. A limited key sees only the collections it may use.',
  keywords:
    'tables, lists, apps, databases, forms, what data do we have, what do we store, kinds of ' +
    'records',
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
    'Creates a collection of documents. With a schema, documents that do not match it ' +
    'are refused. Only keys of the project can read or write it, unless public_read or ' +
    'public_write is set.',
  keywords:
    'table, list to keep track, customers, bookings, reservations, form, contact form, ' +
    'enquiry, preorder, visitors leave their details, request a quote, database, app, schema, ' +
    'order through our page, without logging in, place to keep, list of, sign-up form, guest ' +
    'book, applicants, people apply, all my',
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
  about: 'One collection, with its schema, document count and size.',
  keywords:
    'schema, fields, columns, table definition, form settings, size, how many records, ' +
    'structure, questions of the form, required, public',
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
    'Changes the given settings; each is replaced as a whole. Documents that do not ' +
    'match a new schema are kept and reported in misfits; dry_run reports them without ' +
    'changing anything. The name cannot be changed.',
  keywords:
    'schema, form fields, add a field, required, mandatory, public, private, hide, close form, ' +
    'stop accepting, spam, validation, columns, sold out, option, choice field, extra ' +
    'question, sign-up form, allow more, hide column, stop public sign-ups, use as facts of ' +
    'the assistant',
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
    'Deletes a collection and all its documents. If it has documents, confirm must be ' +
    'the name of the collection.',
  keywords:
    'drop table, remove list, wipe everything, whole app, get rid of form, destroy, throw away ' +
    'list',
  consent: {
    about: 'Deletes a collection and all its documents.',
    repeats: { name: 'confirm' },
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
