/** Operations of the sources of the assistant's knowledge. */
import { operation } from '../../../contract/operation.ts'
import { PageQuery } from '../../../contract/schema/pages.ts'
import * as sources from '../sources/manage.ts'
import { Source, SourceDetail, SourceId, SourceInput, SourceList } from '../sources/schema.ts'

export const list = operation({
  name: 'knowledge_sources.list',
  route: 'GET /assistant/sources',
  about:
    'What the assistant learns from besides its settings, newest first: websites, sites of the ' +
    'project, texts, documents and collections with assistant_facts, with the state of indexing.',
  keywords:
    'knowledge base, trained on, learned from, websites, documents, what does the assistant read',
  scope: 'assistant:write',
  reach: 'project',
  effect: 'read',
  query: PageQuery,
  status: 200,
  reply: SourceList,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => sources.list(caller, query),
})

export const create = operation({
  name: 'knowledge_sources.create',
  route: 'POST /assistant/sources',
  about:
    'Adds a website, a site of the project, a text, or a PDF or DOCX file of the media library ' +
    'to the knowledge of the assistant. It is indexed afterwards: read the source until its ' +
    'status is no longer pending.',
  keywords:
    'train the assistant, learn, read our website, URL, web page, upload document, knowledge ' +
    'base, RAG, index, manual, terms and conditions, price list',
  scope: 'assistant:write',
  reach: 'project',
  effect: 'write',
  waits_for_others: true,
  body: SourceInput,
  status: 201,
  reply: Source,
  errors: ['validation_failed', 'conflict', 'assistant_source_limit_reached'],
  run: ({ body }, caller) => sources.create(caller, body),
})

export const find = operation({
  name: 'knowledge_sources.get',
  route: 'GET /assistant/sources/{id}',
  about:
    'One source with the state of indexing, its pages and when they were read, and the text of a ' +
    'text.',
  keywords: 'indexing state, crawl result, why is it pending, failed, what was read',
  scope: 'assistant:write',
  reach: 'project',
  effect: 'read',
  params: SourceId,
  status: 200,
  reply: SourceDetail,
  errors: ['not_found'],
  run: ({ params }, caller) => sources.find(caller, params.id),
})

export const remove = operation({
  name: 'knowledge_sources.delete',
  route: 'DELETE /assistant/sources/{id}',
  about:
    'Deletes a source: the assistant no longer answers from it. The website of PUT /assistant and ' +
    'collections are changed where they are set, as managed_by says.',
  keywords:
    'forget website, unlearn, remove document from knowledge base, wrong answers from old page',
  consent: { about: 'Deletes what the assistant learned from this source.' },
  scope: 'assistant:write',
  reach: 'project',
  effect: 'write',
  params: SourceId,
  status: 204,
  errors: ['not_found', 'conflict'],
  run: ({ params }, caller) => sources.remove(caller, params.id),
})

export const refresh = operation({
  name: 'knowledge_sources.refresh',
  route: 'POST /assistant/sources/{id}/refresh',
  about:
    'Indexes a source again now. Websites are read again every day, and sites and documents when ' +
    'they change, so this is rarely needed.',
  keywords: 'reindex, crawl again, retrain, outdated, website changed, re-read',
  scope: 'assistant:write',
  reach: 'project',
  effect: 'write',
  params: SourceId,
  status: 200,
  reply: Source,
  errors: ['not_found', 'conflict', 'assistant_source_busy'],
  run: ({ params }, caller) => sources.refresh(caller, params.id),
})
