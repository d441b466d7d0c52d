/** The operation of usage for API keys. */
import { operation } from '../../contract/operation.ts'
import { listModelUsage } from './model-usage.ts'
import { ModelUsage, ModelUsageQuery } from './schema.ts'

export const models = operation({
  name: 'model_usage.list',
  route: 'GET /usage',
  about:
    'The requests to language models by day, area and model, with tokens and cost, the latest day ' +
    'first. Days are those of the billing time zone.',
  keywords: 'AI cost, tokens, LLM, spending on models, language model bill',
  scope: 'project:read',
  reach: 'project',
  effect: 'read',
  query: ModelUsageQuery,
  status: 200,
  reply: ModelUsage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => listModelUsage(caller, query),
})
