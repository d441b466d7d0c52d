/** The operations of operators on verifications. To anyone else they do not exist. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import * as queue from './reviews/queue.ts'
import {
  OperatedVerification,
  ReviewParams,
  VerificationDecision,
  VerificationDetail,
  VerificationQuery,
} from './schema.ts'

const shared = { access: 'operator', status: 200 } as const

export const list = peopleOperation({
  ...shared,
  name: 'verifications.list',
  route: 'GET /operator/verifications',
  about: 'Lists verifications: those that wait, oldest first, or the newest 200 of all.',
  effect: 'read',
  query: VerificationQuery,
  reply: Type.Object({
    data: Type.Array(OperatedVerification, { description: 'Verifications.' }),
  }),
  errors: [],
  run: ({ query }, caller) => queue.listReviews(caller, query),
})

export const get = peopleOperation({
  ...shared,
  name: 'verifications.get',
  route: 'GET /operator/verifications/{id}',
  about: 'A verification with the company, its documents and its declaration.',
  effect: 'read',
  params: ReviewParams,
  reply: VerificationDetail,
  errors: ['not_found'],
  run: ({ params }, caller) => queue.showReview(caller, params.id),
})

export const decide = peopleOperation({
  ...shared,
  name: 'verifications.decide',
  route: 'POST /operator/verifications/{id}/decide',
  about: 'Approves or rejects a verification. Owners and admins get a mail with the reason.',
  effect: 'write',
  fresh: true,
  params: ReviewParams,
  body: VerificationDecision,
  reply: VerificationDetail,
  errors: ['not_found', 'conflict', 'validation_failed'],
  run: ({ params, body }, caller) => queue.decide(caller, params.id, body),
})
