/**
 * The tool search_operations. Its reply is text alone: an output schema would require the same reply as
 * structured content, and models would read both.
 */
import { Type } from 'typebox'
import { bodyValidator } from '../../http/validate.ts'
import type { Catalog } from '../catalog.ts'
import { checked, listingOf } from '../tools/own-tool.ts'
import type { Tool } from '../tools/surface.ts'
import { searchReply, operationDetail } from './answer.ts'
import { searchOver } from './catalog-index.ts'

const SearchInput = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'What you want to do, in a few words (English, Dutch or German), or the exact name of an ' +
        'operation to see its full arguments.',
    }),
  },
  { additionalProperties: false },
)

export function searchTool(catalog: Catalog): Tool {
  const search = searchOver(catalog)
  const isWrong = bodyValidator(SearchInput)
  return {
    listing: listingOf('search_operations', {
      title: 'Search operations',
      description:
        'Finds any of the operations of this service, best first, or says that nothing fits. Search ' +
        'here for whatever no other tool does, then run it with the tool that it names.',
      inputSchema: SearchInput,
      reads: true,
    }),
    operationFor: () => null,
    isShown: () => true,
    async run(given, client) {
      const query = String(checked(given, isWrong)['query']).trim()
      const named = catalog.all.get(query)
      const answer = named ? { operations: [operationDetail(named, client)] } : null
      const text = JSON.stringify(answer ?? searchReply(await search(query), client))
      return { content: [{ type: 'text', text }] }
    },
  }
}
