/**
 * The replies of search_operations: the best operations with their arguments, then the names of the other ones of
 * the nearest areas, because the model that reads them finds what the ranking missed.
 * Only the reply to the exact name of an operation contains its full arguments, because a model pays
 * for each character.
 */
import { runsWithArguments } from '../../../contract/operations/streams.ts'
import { toPortalUrl, toProjectUrl } from '../../../contract/manifest/portal-pages.ts'
import { findArea, takeFirstSentence } from '../../describe/words.ts'
import type { JsonSchema } from '../../describe/json-schema.ts'
import { findPage } from '../../portal/record-pages.ts'
import { mayUseOperation } from '../tools/call.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import type { PeopleOperation } from '../../../contract/people.ts'
import type { McpClient } from '../tools/surface.ts'
import type { OperationTool } from '../tools/tool.ts'
import type { SearchResult, Hit } from './catalog-index.ts'
import { isListed } from '../tools/view.ts'
import { cut, findType, listTypes } from './abridge.ts'
import { writeSignature } from './signature.ts'

/** Maximum characters of the best hit and of each of the others. */
const SIGNATURE_CHARACTERS = { best: 240, others: 70 }
const ABOUT_CHARACTERS = { best: 100, others: 55 }

export function createSearchReply(
  { hits, others, unknown }: SearchResult,
  guides: readonly string[],
  client: McpClient,
): JsonRecord {
  if (hits.length === 0)
    return {
      operations: [],
      ...(guides.length > 0 && { guides }),
      nothing_fits: 'No operation has any of these words.',
      next_step: 'Search in other English words, or tell the user that this is not possible here.',
    }
  return {
    operations: hits.map((hit, at) => brief(hit, at === 0, client)),
    ...(others.length > 0 && { others: namesByArea(others) }),
    ...(guides.length > 0 && { guides }),
    ...(unknown.length > 0 && { no_operation_has: unknown.join(', ') }),
    hint: 'Search for an exact name for its arguments, or to read a guide. What none does is not possible here.',
  }
}

/** Names say what an operation does, so the model that reads them can do without sentences. */
function namesByArea(hits: readonly Hit[]): JsonRecord {
  const areas = Map.groupBy(hits, ({ operation }) => findArea(operation))
  const namesOf = (area: string, some: readonly Hit[]) =>
    some
      .map(({ kind, name }) => name.slice(area.length + 1) + (kind === 'portal' ? ' (portal)' : ''))
      .join(', ')
  return Object.fromEntries([...areas].map(([area, some]) => [area, namesOf(area, some)]))
}

function brief(hit: Hit, isBest: boolean, client: McpClient): JsonRecord {
  const rank = isBest ? 'best' : 'others'
  const about = cut(takeFirstSentence(hit.operation.about), ABOUT_CHARACTERS[rank])
  if (hit.kind === 'portal')
    return { operation: hit.name, only_in_portal: portalUrlOf(hit.operation, client), about }
  return {
    operation: hit.name,
    ...runnerOf(hit.tool, client),
    about,
    arguments: writeSignature(hit.tool.shape, SIGNATURE_CHARACTERS[rank]),
    ...refusedTo(hit.tool, client),
  }
}

/**
 * Returns the description of one operation with its arguments, and for `name#type` the fields of that
 * type; null if there is none.
 */
export function describeOperation(
  tool: OperationTool,
  type: string | undefined,
  client: McpClient,
): JsonRecord | null {
  const { operation, listing, shape } = tool
  if (type !== undefined) {
    const fields = findType(shape, type)
    return fields && { operation: operation.name, type, fields }
  }
  const described = {
    operation: operation.name,
    ...runnerOf(tool, client),
    about: listing.description,
    ...refusedTo(tool, client),
  }
  const types = listTypes(shape)
  if (types === null) return { ...described, arguments: shape }
  return {
    ...described,
    arguments: writeSignature(shape, SIGNATURE_CHARACTERS.best),
    example: exampleIn(shape),
    types,
    hint: `Search for ${operation.name}#<type> for the fields of a type.`,
  }
}

/** The example of the argument that has one. */
function exampleIn({ properties = {} }: JsonSchema): JsonRecord {
  const found = Object.entries(properties).flatMap(([name, { examples }]) =>
    Array.isArray(examples) ? [[name, examples[0]]] : [],
  )
  return Object.fromEntries(found)
}

/** The address of the page where a signed-in person finds the operation. */
export function portalUrlOf(
  { name, access, path }: PeopleOperation,
  { caller }: McpClient,
): string {
  const { config } = caller.runtime
  if (access !== 'person') return toProjectUrl(config, caller.project.id, findPage(name) ?? '')
  // Projects and invitations are on the first page.
  return toPortalUrl(config, /^\/(?:projects|invitations)/.test(path) ? '/' : '/account')
}

function runnerOf({ operation, listing }: OperationTool, { view }: McpClient): JsonRecord {
  if (!runsWithArguments(operation)) return { only_over_http: operation.route }
  const runner = operation.effect === 'read' ? 'run_read_operation' : 'run_write_operation'
  return { run_with: isListed(operation, view) ? listing.name : runner }
}

function refusedTo(tool: OperationTool, client: McpClient): JsonRecord {
  if (mayUseOperation(tool, client)) return {}
  return { refused_here: `It needs ${tool.operation.scope ?? 'another connection'}.` }
}
