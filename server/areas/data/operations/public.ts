/** The public operations for websites: forms and published documents. */
import { guestOperation } from '../../../contract/operations/guests.ts'
import {
  Challenge,
  Form,
  GuestQuery,
  PublicDocumentList,
  PublicDocumentsQuery,
  Receipt,
  Submission,
  SubmitQuery,
} from '../public/form-schema.ts'
import * as forms from '../public/forms.ts'
import { listPublic } from '../public/public-list.ts'
import { CollectionParams } from '../schema.ts'

export const submit = guestOperation({
  name: 'public_documents.create',
  route: 'POST /public/collections/{name}/documents',
  about:
    'Submits a form to a collection with public_write, in UTF-8. A browser without ' +
    'JavaScript gets a page, or is redirected (303) to `redirect`, a URL on an allowed ' +
    'origin.',
  effect: 'write',
  params: CollectionParams,
  query: SubmitQuery,
  body: Submission,
  rate: 'submissions',
  takes: 'form',
  status: 201,
  reply: Receipt,
  errors: [
    'collection_not_public',
    'challenge_failed',
    'schema_mismatch',
    'document_too_large',
    'file_too_large',
    'document_limit_reached',
    'plan_limit_reached',
  ],
  run: ({ params }, guest) => forms.submit(guest, params.name),
})

export const list = guestOperation({
  name: 'public_documents.list',
  route: 'GET /public/collections/{name}/documents',
  about:
    'Lists the documents of a collection with public_read, newest first, with their ' +
    'readable fields. Only readable fields can be used in filter and sort.',
  effect: 'read',
  params: CollectionParams,
  query: PublicDocumentsQuery,
  status: 200,
  reply: PublicDocumentList,
  errors: ['collection_not_public'],
  run: ({ params, query }, guest) => listPublic(guest, params.name, query),
})

export const form = guestOperation({
  name: 'public_forms.get',
  route: 'GET /public/collections/{name}/form',
  about:
    'The information a page needs to show a form of a collection and validate it before ' +
    'it is sent.',
  effect: 'read',
  params: CollectionParams,
  query: GuestQuery,
  status: 200,
  reply: Form,
  errors: ['collection_not_public'],
  run: ({ params }, guest) => forms.show(guest, params.name),
})

export const challenge = guestOperation({
  name: 'public_forms.challenge',
  route: 'GET /public/collections/{name}/challenge',
  about:
    "Creates a proof-of-work challenge for the visitor's browser, which deters bots. " +
    'Each solution is accepted once.',
  effect: 'read',
  params: CollectionParams,
  query: GuestQuery,
  status: 200,
  reply: Challenge,
  errors: ['collection_not_public'],
  run: ({ params }, guest) => forms.challenge(guest, params.name),
})
