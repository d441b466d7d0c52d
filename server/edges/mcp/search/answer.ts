/**
 * The replies of search_operations: a few lines for each operation found, or a sentence that no
 * operation fits. Only the reply to the exact name of an operation contains its full arguments,
 * because a model pays for each character and mostly needs one of five operations.
 */
import { toPortalUrl, toProjectUrl } from '../../../contract/manifest/portal-pages.ts'
import { takeFirstSentence } from '../../docs/describe/words.ts'
import { mayUseOperation } from '../tools/call.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import type { McpClient } from '../tools/surface.ts'
import type { OperationTool } from '../tools/tool.ts'
import type { SearchResult, Hit } from './catalog-index.ts'
import { isListed } from '../tools/view.ts'
import { writeSignature } from './signature.ts'

/** Maximum length of the signature of the best hit and of the others. */
const SIGNATURE_CHARACTERS = { best: 400, others: 150 }
const ABOUT_CHARACTERS = 130

export function createSearchReply(
  { hits, near, refusal }: SearchResult,
  client: McpClient,
): JsonRecord {
  if (hits.length > 0)
    return {
      operations: hits.map((hit, at) => brief(hit, at === 0, client)),
      hint: 'For full arguments, search for the exact name of an operation.',
    }
  return {
    operations: [],
    nothing_fits: refusal ?? 'No operation of this service does that.',
    near: near.map((hit) => `${hit.name}: ${shortAbout(hit)}`),
    next_step: 'Tell the user that this is not possible here, or search in other words.',
  }
}

function brief(hit: Hit, isBest: boolean, client: McpClient): JsonRecord {
  if (hit.kind === 'portal') return inPortal(hit, client)
  const max = isBest ? SIGNATURE_CHARACTERS.best : SIGNATURE_CHARACTERS.others
  return {
    operation: hit.name,
    ...runnerOf(hit.tool, client),
    about: shortAbout(hit),
    arguments: writeSignature(hit.tool.shape, max),
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

/** Describes an operation of signed-in people, with the address of its portal page. */
function inPortal(hit: Extract<Hit, { kind: 'portal' }>, { caller }: McpClient): JsonRecord {
  const { config } = caller.runtime
  const page = hit.page === '' ? '' : `/${hit.page}`
  return {
    operation: hit.name,
    only_in_portal:
      hit.operation.access === 'person'
        ? toPortalUrl(config, page === '' ? '/' : page)
        : toProjectUrl(config, caller.project.id, page),
    about: shortAbout(hit),
  }
}

function runnerOf({ operation, listing }: OperationTool, { view }: McpClient): JsonRecord {
  if (operation.kind === 'stream') return { only_over_http: operation.route }
  const runner = operation.effect === 'read' ? 'run_read_operation' : 'run_write_operation'
  return { run_with: isListed(operation, view) ? listing.name : runner }
}

function refusedTo(tool: OperationTool, client: McpClient): JsonRecord {
  if (mayUseOperation(tool, client)) return {}
  return { refused_here: `It needs ${tool.operation.scope ?? 'another connection'}.` }
}

function shortAbout(hit: Hit): string {
  const { about } = hit.kind === 'portal' ? hit.operation : hit.tool.operation
  const first = takeFirstSentence(about)
  return first.length <= ABOUT_CHARACTERS ? `${first}.` : `${first.slice(0, ABOUT_CHARACTERS)}…`
}
