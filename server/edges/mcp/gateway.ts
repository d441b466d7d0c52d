/**
 * Three tools for all operations: search_operations, run_read_operation and run_write_operation.
 * Reading and writing are separate, so that a client's permission to read never permits a write.
 */
import { Type } from 'typebox'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { INEXACT_NUMBER } from '../../kernel/values/exact-number.ts'
import { findNearestName } from '../../kernel/values/nearest.ts'
import { parseJsonInSlices } from '../../kernel/values/json.ts'
import { createInvalidBodyProblem } from '../http/request.ts'
import { createBodyValidator } from '../http/validate.ts'
import { callOperation, type CallDependencies } from './tools/call.ts'
import type { Catalog } from './catalog.ts'
import { asText, isRecord } from './tools/record.ts'
import { validateArguments, createListing } from './tools/own-tool.ts'
import type { GuideSearch } from './search/guides.ts'
import { portalUrlOf } from './search/answer.ts'
import { createSearchTool } from './search/search-tool.ts'
import type { McpClient, Tool } from './tools/surface.ts'
import type { OperationTool } from './tools/tool.ts'

const closed = { additionalProperties: false }

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

/** `own`: further tools that are no operation, which the runners also take by their names. */
export function createGatewayTools(
  catalog: Catalog,
  callers: CallDependencies,
  { guides, own }: { guides: GuideSearch; own: readonly Tool[] },
): Tool[] {
  const search = createSearchTool(catalog, guides)
  const all = [...own, search]
  return [
    search,
    runTool(catalog, callers, { effect: 'read', own: all }),
    runTool(catalog, callers, { effect: 'write', own: all }),
  ]
}

function runTool(
  catalog: Catalog,
  callers: CallDependencies,
  { effect, own }: { effect: 'read' | 'write'; own: readonly Tool[] },
): Tool {
  const isWrong = createBodyValidator(RunInput)
  const reads = effect === 'read'
  const nameIn = (given: unknown) => (isRecord(given) ? asText(given['operation']).trim() : '')
  const find = (given: unknown) => findByName(catalog, nameIn(given))
  return {
    listing: createListing(`run_${effect}_operation`, {
      title: reads ? 'Run an operation that reads' : 'Run an operation that changes something',
      description: reads
        ? 'Runs an operation that only reads, found with search_operations.'
        : 'Runs an operation that changes something, found with search_operations. The person is ' +
          'asked before anything that deletes and, with a live key, before what costs money or contacts an ' +
          'outside person.',
      inputSchema: RunInput,
      reads,
    }),
    operationFor: (given) => find(given)?.operation ?? null,
    isShown: ({ view }) => reads || !view.read_only,
    async run(given, client, asking) {
      const asked = validateArguments(await withParsedArguments(given), isWrong)
      const tool = find(asked)
      if (!tool) {
        const meant = own.find(({ listing }) => listing.name === nameIn(asked))
        if (meant) return meant.run(asked['arguments'], client, asking)
        throw unknownOperation(nameIn(asked), catalog, client)
      }
      // What only reads may run here too; the other way round, a permission to read would let one write.
      if (reads && tool.operation.effect !== 'read') throw otherTool(tool)
      return callOperation(tool, { given: asked['arguments'], client, asking }, callers)
    },
  }
}

/** By the name of the operation, of its tool, or by its route. */
function findByName({ all, byToolName }: Catalog, name: string): OperationTool | null {
  const found = all.get(name) ?? byToolName.get(name)
  if (found || !name.includes(' /')) return found ?? null
  return [...all.values()].find(({ operation }) => operation.route === name) ?? null
}

/** Some models write the arguments as JSON text, which has the limits of arguments that are an object. */
async function withParsedArguments(given: unknown): Promise<unknown> {
  if (!isRecord(given) || typeof given['arguments'] !== 'string') return given
  const parsed = await parseJsonInSlices(given['arguments'], limits.json_depth_max, {
    values_max: limits.json_values_max,
    members_max: limits.json_values_max,
    // The operation refuses an inexact number, as it does in arguments that are an object.
    accepts: (_, __, message) => message === INEXACT_NUMBER,
  })
  if (!('fault' in parsed)) return { ...given, arguments: parsed.value }
  const { kind, path, message } = parsed.fault
  if (kind === 'syntax') return given
  throw createInvalidBodyProblem([{ path: `/arguments${path}`, message }])
}

function unknownOperation(typed: string, { all, people }: Catalog, client: McpClient): Problem {
  const name = typed.slice(0, NAME_CHARACTERS_MAX)
  const person = people.find((one) => one.name === name)
  if (person) {
    return new Problem('forbidden', `Only a person can run ${name}, in the portal.`, {
      user_message: 'Only you can do that, in the portal.',
      next_step: `Show the user the page where it is done: ${portalUrlOf(person, client)}`,
    })
  }
  const [area] = name.split(/[._]/)
  const near = [...all.keys()].filter((one) => one.startsWith(`${area}.`))
  const nearest = findNearestName(name, [...all.keys()])
  const names = near.length > 0 ? near : nearest === undefined ? [] : [nearest]
  const there_are = names.length === 0 ? '' : ` There is ${names.join(', ')}.`
  // In quotes and without a space, so that a route in it is not taken for one of ours.
  return new Problem(
    'not_found',
    `There is no operation "${name.replace(' /', ':/')}".${there_are}`,
    {
      next_step: 'Find its name with search_operations.',
    },
  )
}

const NAME_CHARACTERS_MAX = 100

function otherTool({ operation }: OperationTool): Problem {
  const next_step = 'Run it with run_write_operation.'
  return new Problem('bad_request', `${operation.name} changes something.`, { next_step })
}
