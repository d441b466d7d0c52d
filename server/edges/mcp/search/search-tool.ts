/** The tool search_operations, which finds operations and guides. */
import { Type } from 'typebox'
import { createBodyValidator } from '../../http/validate.ts'
import type { Catalog } from '../catalog.ts'
import { validateArguments, createListing } from '../tools/own-tool.ts'
import type { Tool } from '../tools/surface.ts'
import { createSearchReply, describeOperation } from './answer.ts'
import { createOperationSearch } from './catalog-index.ts'
import type { GuideSearch } from './guides.ts'
import { toTextResult } from '../tools/result.ts'

const SearchInput = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'What you want to do, in a few English words, or the exact name of an operation or guide to read it.',
    }),
  },
  { additionalProperties: false },
)

export function createSearchTool(catalog: Catalog, guides: GuideSearch): Tool {
  const search = createOperationSearch(catalog)
  const isWrong = createBodyValidator(SearchInput)
  return {
    listing: createListing('search_operations', {
      title: 'Search operations',
      description:
        'Finds operations and guides of this service: up to five with their arguments, and the ' +
        'names of others. Search here for whatever no other tool does, then run it with the tool that it ' +
        'names. What none of them does, this service does not do.',
      inputSchema: SearchInput,
      reads: true,
    }),
    operationFor: () => null,
    isShown: () => true,
    async run(given, client) {
      const query = String(validateArguments(given, isWrong)['query']).trim()
      const [name = '', type] = query.split('#')
      const named = catalog.all.get(name)
      const described = named ? describeOperation(named, type, client) : null
      if (described) return toTextResult({ operations: [described] })
      const guide = guides.read(query)
      if (guide !== null) return { content: [{ type: 'text', text: guide }] }
      return toTextResult(createSearchReply(search(query), await guides.find(query), client))
    },
  }
}
