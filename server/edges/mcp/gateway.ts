/**
 * Every operation through three tools: one finds them, one runs those that only read, one runs the
 * rest. Reading and writing are two tools, so that a client's leave to read is never one to write.
 */
import { Type } from 'typebox'
import { Problem } from '../../contract/errors.ts'
import { asStream } from '../../contract/streams.ts'
import type { JsonSchema } from '../docs/describe/json-schema.ts'
import { bodyValidator } from '../http/validate.ts'
import { invalidBody } from '../http/request.ts'
import { callOperation, isOpenTo, type Callers } from './call.ts'
import type { Catalog } from './catalog.ts'
import { isRecord, type JsonRecord } from './record.ts'
import { structured } from './result.ts'
import { searchOver } from './search.ts'
import type { Tool, Visit } from './surface.ts'
import { listing, type Listing, type OperationTool } from './tool.ts'

const FOUND_MAX = 5
const closed = { additionalProperties: false }

const SearchInput = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What you want to do, in a few words, such as: rename a collection.',
    }),
  },
  closed,
)

const RunInput = Type.Object(
  {
    operation: Type.String({ description: 'The name that search_operations gave.' }),
    arguments: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'As its arguments in search_operations say.',
      }),
    ),
  },
  closed,
)

const anyReply: JsonSchema = { type: 'object' }
const found: JsonSchema = {
  type: 'object',
  properties: { operations: { type: 'array', items: { type: 'object' } } },
  required: ['operations'],
}

export function gatewayTools(catalog: Catalog, callers: Callers): Tool[] {
  return [
    searchTool(catalog),
    runTool(catalog, callers, 'read'),
    runTool(catalog, callers, 'write'),
  ]
}

function searchTool(catalog: Catalog): Tool {
  const search = searchOver([...catalog.all.values()])
  const isWrong = bodyValidator(SearchInput)
  const directNames = new Set(catalog.direct.map(({ operation }) => operation.name))
  return {
    listing: listingOf('search_operations', {
      title: 'Search operations',
      description:
        'Finds any of the operations of this service, with the arguments each takes. Search here ' +
        'for whatever no other tool does, then run it with run_read_operation or run_write_operation.',
      inputSchema: SearchInput,
      outputSchema: found,
      reads: true,
    }),
    operationFor: () => null,
    isShown: () => true,
    async run(given, visit) {
      const asked = checked(given, isWrong)
      const operations = search(String(asked['query']))
        .slice(0, FOUND_MAX)
        .map((tool) => describe(tool, visit, directNames.has(tool.operation.name)))
      return structured({ operations })
    },
  }
}

function describe(tool: OperationTool, visit: Visit, isDirect: boolean): JsonRecord {
  const { operation, listing: listed } = tool
  const { name, scope, effect, route } = operation
  const runs = effect === 'read' ? 'run_read_operation' : 'run_write_operation'
  return {
    operation: name,
    ...(asStream(operation)
      ? { only_over_http: route }
      : { run_with: isDirect ? listed.name : runs }),
    about: listed.description,
    effect,
    ...(isOpenTo(tool, visit)
      ? {}
      : { refused_here: `It needs ${scope ?? 'another connection'}.` }),
    arguments: listed.inputSchema,
  }
}

function runTool(catalog: Catalog, callers: Callers, effect: 'read' | 'write'): Tool {
  const isWrong = bodyValidator(RunInput)
  const reads = effect === 'read'
  const find = (given: unknown) =>
    catalog.all.get(isRecord(given) ? String(given['operation']) : '') ?? null
  return {
    listing: listingOf(`run_${effect}_operation`, {
      title: reads ? 'Run an operation that reads' : 'Run an operation that changes something',
      description: reads
        ? 'Runs an operation that only reads, found with search_operations.'
        : 'Runs an operation that changes something, found with search_operations. The person is ' +
          'asked before anything that costs money, reaches somebody outside or deletes.',
      inputSchema: RunInput,
      outputSchema: anyReply,
      reads,
    }),
    operationFor: (given) => find(given)?.operation ?? null,
    isShown: ({ view }) => reads || !view.read_only,
    async run(given, visit, asking) {
      const asked = checked(given, isWrong)
      const tool = find(asked)
      if (!tool) throw unknownOperation(asked)
      if ((tool.operation.effect === 'read') !== reads) throw otherTool(tool)
      return callOperation(tool, { given: asked['arguments'], visit, asking }, callers)
    },
  }
}

function checked(given: unknown, isWrong: ReturnType<typeof bodyValidator>): JsonRecord {
  const value = given ?? {}
  const faults = isWrong(value)
  if (faults.length > 0 || !isRecord(value)) throw invalidBody(faults)
  return value
}

function unknownOperation(asked: JsonRecord): Problem {
  const name = String(asked['operation']).slice(0, 100)
  return new Problem('not_found', `There is no operation "${name}".`, {
    next_step: 'Find its name with search_operations.',
  })
}

function otherTool({ operation }: OperationTool): Problem {
  const reads = operation.effect === 'read'
  return new Problem(
    'bad_request',
    `${operation.name} ${reads ? 'only reads' : 'changes something'}: use run_${reads ? 'read' : 'write'}_operation.`,
  )
}

export interface OwnListing {
  title: string
  description: string
  inputSchema: object
  outputSchema: object
  reads: boolean
}

/** The listing of a tool that is no operation. */
export function listingOf(name: string, own: OwnListing): Listing {
  const { title, description, reads, inputSchema, outputSchema } = own
  const annotations = {
    readOnlyHint: reads,
    destructiveHint: !reads,
    idempotentHint: reads,
    // What is read or done may be anything, the words of outsiders among it.
    openWorldHint: true,
  }
  return listing({ name, title, description, annotations }, { inputSchema, outputSchema })
}
