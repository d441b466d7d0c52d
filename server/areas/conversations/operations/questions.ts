/** The operations of unanswered questions, and of the facts that answer them. */
import { operation } from '../../../contract/operation.ts'
import { PageQuery } from '../../../contract/schema/pages.ts'
import { AddedFact, addFact, FactInput } from '../unanswered/facts.ts'
import {
  listUnanswered,
  QuestionId,
  removeUnanswered,
  UnansweredPage,
} from '../unanswered/unanswered.ts'

export const unanswered = operation({
  name: 'unanswered_questions.list',
  route: 'GET /assistant/unanswered',
  about:
    'Questions of visitors to which the assistant had no answer, the most frequent first. Answer ' +
    'them with POST /assistant/facts.',
  keywords: 'cannot answer, gaps, people ask, unknown, could not help, FAQ ideas, chat',
  scope: 'chat:read',
  reach: 'project',
  effect: 'read',
  query: PageQuery,
  status: 200,
  reply: UnansweredPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => listUnanswered(caller, query),
})

export const dismiss = operation({
  name: 'unanswered_questions.delete',
  route: 'DELETE /assistant/unanswered/{id}',
  about: 'Removes an unanswered question from the list. It returns when it is asked again.',
  keywords: 'dismiss, ignore, hide question, not relevant',
  consent: { about: 'Removes a question from the list of unanswered questions.' },
  scope: 'chat:write',
  reach: 'project',
  effect: 'write',
  params: QuestionId,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => removeUnanswered(caller, params.id),
})

export const teach = operation({
  name: 'assistant_facts.create',
  route: 'POST /assistant/facts',
  about:
    'Adds one question with its answer to the facts of the assistant, and leaves all its other ' +
    'settings as they are. The answer of a fact with the same question is replaced. With ' +
    'unanswered_question_id that question leaves the list of unanswered questions.',
  keywords:
    'teach, FAQ, question and answer, add a fact, correct wrong answer, keeps telling people, ' +
    'knowledge, answer an unanswered question, so that it knows from now on',
  scope: 'assistant:write',
  reach: 'project',
  effect: 'write',
  body: FactInput,
  status: 201,
  reply: AddedFact,
  errors: ['not_found', 'conflict'],
  run: ({ body }, caller) => addFact(caller, body),
})
