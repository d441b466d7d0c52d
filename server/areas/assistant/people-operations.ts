/** Operations of the assistant for people only: a conversation without a call, and its knowledge. */
import { peopleOperation } from '../../contract/people.ts'
import * as knowledge from './sources/inspect/inspect.ts'
import * as shapes from './sources/inspect/schema.ts'
import { SourceId } from './sources/schema.ts'
import { TryOutInput, TryOutReply } from './try-out/schema.ts'
import { tryOut as reply } from './try-out/try-out.ts'

export const tryOut = peopleOperation({
  name: 'assistant.try',
  route: 'POST /projects/{project_id}/assistant/try',
  about:
    'Returns what the assistant would say next in a conversation, and what it knew for that. ' +
    'Nothing is stored and nobody is called. A configured language model costs the same as in a ' +
    'test call: the first replies of a day are free.',
  keywords:
    'preview answer, playground, test prompt, daft answers, what would it say, chat, rehearse ' +
    'a question, type a question, hear what the assistant says, see what it says',
  access: 'member',
  effect: 'write',
  body: TryOutInput,
  status: 200,
  reply: TryOutReply,
  errors: ['conflict', 'validation_failed', 'test_free_replies_used'],
  run: ({ body }, caller) => reply(caller, body),
})

export const readKnowledge = peopleOperation({
  name: 'knowledge_sources.usage',
  route: 'GET /projects/{project_id}/assistant/knowledge',
  about: 'How many sources, chunks and documents the assistant knows, and how many it can know.',
  keywords: 'knowledge quota, chunks, limit',
  access: 'member',
  effect: 'read',
  status: 200,
  reply: shapes.KnowledgeUsage,
  errors: [],
  run: (_, caller) => knowledge.readUsage(caller),
})

export const listPassages = peopleOperation({
  name: 'knowledge_sources.list_passages',
  route: 'GET /projects/{project_id}/assistant/sources/{id}/passages',
  about: 'The parts of text that are indexed of one source, in the order of reading.',
  keywords: 'chunks, indexed text, RAG',
  access: 'member',
  effect: 'read',
  params: SourceId,
  query: shapes.PassagesQuery,
  status: 200,
  reply: shapes.Passages,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => knowledge.listPassages(caller, params.id, query),
})

export const searchKnowledge = peopleOperation({
  name: 'knowledge_sources.search',
  route: 'POST /projects/{project_id}/assistant/knowledge/search',
  about:
    'What the assistant finds in all its knowledge for a question, with the probability that it ' +
    'answers it. No language model is asked, and nothing is stored.',
  keywords: 'test knowledge, would it know, RAG, chunks, retrieval',
  access: 'member',
  effect: 'read',
  body: shapes.KnowledgeSearch,
  status: 200,
  reply: shapes.KnowledgeFound,
  errors: ['validation_failed'],
  run: ({ body }, caller) => knowledge.searchKnowledge(caller, body),
})
