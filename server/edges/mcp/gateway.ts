/**
 * Three tools for all operations: search_operations, run_read_operation and run_write_operation.
 * Reading and writing are separate, so that a client's permission to read never permits a write.
 */
import { Type } from 'typebox'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { INEXACT_NUMBER } from '../../kernel/values/exact-number.ts'
import { parseJsonInSlices } from '../../kernel/values/json.ts'
import { createInvalidBodyProblem } from '../http/request.ts'
import { createBodyValidator } from '../http/validate.ts'
import { callOperation, type CallDependencies } from './tools/call.ts'
import type { Catalog } from './catalog.ts'
import { asText, isRecord } from './tools/record.ts'
import type { JsonRecord } from '../../contract/manifest/state-section.ts'
import { validateArguments, createListing } from './tools/own-tool.ts'
import type { GuideSearch } from './search/guides.ts'
import { createSearchTool } from './search/search-tool.ts'
import type { Tool } from './tools/surface.ts'
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

export function createGatewayTools(
  catalog: Catalog,
  callers: CallDependencies,
  guides: GuideSearch,
): Tool[] {
  return [
    createSearchTool(catalog, guides),
    runTool(catalog, callers, 'read'),
    runTool(catalog, callers, 'write'),
  ]
}

function runTool(catalog: Catalog, callers: CallDependencies, effect: 'read' | 'write'): Tool {
  const isWrong = createBodyValidator(RunInput)
  const reads = effect === 'read'
  const find = (given: unknown) => {
    const name = isRecord(given) ? asText(given['operation']) : ''
    return catalog.all.get(name) ?? catalog.byToolName.get(name) ?? null
  }
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
      if (!tool) throw unknownOperation(asked, catalog)
      if ((tool.operation.effect === 'read') !== reads) throw otherTool(tool)
      return callOperation(tool, { given: asked['arguments'], client, asking }, callers)
    },
  }
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

function unknownOperation(asked: JsonRecord, { people }: Catalog): Problem {
  const name = asText(asked['operation']).slice(0, 100)
  if (people.some((one) => one.name === name)) {
    return new Problem('forbidden', `Only a person can run ${name}, in the portal.`, {
      next_step: `Search for ${name}: the reply has the address of its page, to show to the user.`,
    })
  }
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
