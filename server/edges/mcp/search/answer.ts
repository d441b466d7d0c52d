/**
 * The replies of search_operations: the best operations with their arguments, then the other ones of
 * the nearest areas, a line each, because the model that reads them finds what the ranking missed.
 * Only the reply to the exact name of an operation contains its full arguments, because a model pays
 * for each character.
 */
import { runsWithArguments } from '../../../contract/operations/streams.ts'
import { toPortalUrl, toProjectUrl } from '../../../contract/manifest/portal-pages.ts'
import { takeFirstSentence } from '../../docs/describe/words.ts'
import { findPage } from '../../portal/record-pages.ts'
import { mayUseOperation } from '../tools/call.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import type { PeopleOperation } from '../../../contract/people.ts'
import type { McpClient } from '../tools/surface.ts'
import type { OperationTool } from '../tools/tool.ts'
import type { SearchResult, Hit } from './catalog-index.ts'
import { isListed } from '../tools/view.ts'
import { writeSignature } from './signature.ts'

/** Maximum characters of the best hit and of each of the others. */
const SIGNATURE_CHARACTERS = { best: 240, others: 70 }
const ABOUT_CHARACTERS = { best: 100, others: 55 }
/** Maximum characters of a line of the list of other operations. */
const LINE_CHARACTERS = 40

export function createSearchReply({ hits, others }: SearchResult, client: McpClient): JsonRecord {
  if (hits.length === 0)
    return {
      operations: [],
      nothing_fits: 'No operation has any of these words.',
      next_step: 'Search in other English words, or tell the user that this is not possible here.',
    }
  return {
    operations: hits.map((hit, at) => brief(hit, at === 0, client)),
    ...(others.length > 0 && { others: others.map(toLine) }),
    hint: 'Search for an exact name for all arguments. What none does is not possible here.',
  }
}

function toLine({ name, operation }: Hit): string {
  return cut(`${name}: ${takeFirstSentence(operation.about)}`, LINE_CHARACTERS)
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

/** Returns the full description of one operation. */
export function describeOperation(tool: OperationTool, client: McpClient): JsonRecord {
  const { operation, listing, shape } = tool
  return {
    operation: operation.name,
    ...runnerOf(tool, client),
    about: listing.description,
    effect: operation.effect,
    ...refusedTo(tool, client),
    arguments: shape,
  }
}

/** The address of the page where a signed-in person finds the operation. */
function portalUrlOf({ name, access, path }: PeopleOperation, { caller }: McpClient): string {
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

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`
}
