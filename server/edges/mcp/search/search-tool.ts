/**
 * The tool search_operations. It replies with text only: an output schema would require the same
 * reply as structured content, and models would read both.
 */
import { Type } from 'typebox'
import { createBodyValidator } from '../../http/validate.ts'
import type { Catalog } from '../catalog.ts'
import { validateArguments, createListing } from '../tools/own-tool.ts'
import type { Tool } from '../tools/surface.ts'
import { createSearchReply, describeOperation } from './answer.ts'
import { createOperationSearch } from './catalog-index.ts'

const SearchInput = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'What you want to do, in a few English words, or the exact name of an operation to see its ' +
        'full arguments.',
    }),
  },
  { additionalProperties: false },
)

export function createSearchTool(catalog: Catalog): Tool {
  const search = createOperationSearch(catalog)
  const isWrong = createBodyValidator(SearchInput)
  return {
    listing: createListing('search_operations', {
      title: 'Search operations',
      description:
        'Finds any of the operations of this service: the nearest five with their arguments, and the ' +
        'names of others. Search here for whatever no other tool does, then run it with the tool that it ' +
        'names. If none of them does it, this service does not do it.',
      inputSchema: SearchInput,
      reads: true,
    }),
    operationFor: () => null,
    isShown: () => true,
    async run(given, client) {
      const query = String(validateArguments(given, isWrong)['query']).trim()
      const named = catalog.all.get(query)
      const answer = named ? { operations: [describeOperation(named, client)] } : null
      const text = JSON.stringify(answer ?? createSearchReply(search(query), client))
      return { content: [{ type: 'text', text }] }
    },
  }
}
