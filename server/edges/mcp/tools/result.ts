/**
 * Tool results: a reply, or the problem document of REST, as the JSON of one text. There is no structured
 * content beside it, because no tool has an output schema and many models would read both.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { BriefReply, FindBrief } from '../../../contract/operation.ts'
import { Problem, problemDocument } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Phrasing } from '../../../contract/problems/next-steps.ts'
import { toDocsUrl, toProblem } from '../../http/problems.ts'
import { API_ROOT } from '../../http/routes.ts'
import { formatSize } from '../../../kernel/values/size.ts'
import { isRecord } from './record.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import { wrapProblem, wrapTexts } from '../transport/outsiders.ts'
import type { McpClient } from './surface.ts'
import type { OperationTool } from './tool.ts'

const BYTES_MAX = limits.mcp_result_bytes_max

interface ReplyOptions {
  find: FindBrief
  given?: unknown
  /** That nothing real happened, as a sentence; null if it did. */
  not_real?: string | null
}

/**
 * Returns the result for the reply of an operation to these arguments, which is the JSON text of REST. Throws a
 * Problem if the reply of a reading operation is too large. An operation that changes data has
 * taken effect by then, so its result says so instead.
 */
export function toReplyResult(
  tool: OperationTool,
  text: string,
  { find, given, not_real = null }: ReplyOptions,
): CallToolResult {
  if (text === '') return toTextResult({ done: true })
  const { brief, effect } = tool.operation
  // Checked before wrapping, because wrapping only adds text.
  if (!brief && Buffer.byteLength(text) > BYTES_MAX) return tooLarge(tool, text)
  const parsed: unknown = JSON.parse(text)
  const value = isRecord(parsed) ? parsed : { data: parsed }
  const told = brief ? toBriefReply(brief(value, find)) : wrapWhole(tool, value)
  const sent = effect === 'read' ? told : withoutSent(told, given)
  const shown = JSON.stringify(not_real === null ? sent : { not_real, ...sent })
  return Buffer.byteLength(shown) > BYTES_MAX ? tooLarge(tool, shown) : textResult(shown)
}

function wrapWhole({ wrap }: OperationTool, value: JsonRecord): JsonRecord {
  const notice = wrap?.(value).notice ?? null
  return notice === null ? value : { about_tags: notice, ...value }
}

function toBriefReply({ reply, outsiders = {} }: BriefReply): JsonRecord {
  const wrapped = Object.keys(outsiders).length > 0 ? wrapTexts(outsiders) : null
  return wrapped ? { about_tags: wrapped.notice, ...reply, ...wrapped.texts } : reply
}

/** Leaves out long values that the model itself sent, and names them. */
function withoutSent(told: JsonRecord, given: unknown): JsonRecord {
  const sent: JsonRecord = isRecord(given) ? given : {}
  const long = Object.values(sent).filter(
    (value) => value !== undefined && JSON.stringify(value).length > SENT_CHARACTERS_MAX,
  )
  // By its value, because a whole body has another name in the reply, such as `plan`.
  const isSent = (name: string) => long.some((value) => isDeepStrictEqual(value, told[name]))
  const as_sent = Object.keys(told).filter(isSent)
  if (as_sent.length === 0) return told
  const rest = Object.entries(told).filter(([name]) => !as_sent.includes(name))
  return { ...Object.fromEntries(rest), as_sent }
}

const SENT_CHARACTERS_MAX = 40

function tooLarge({ operation }: OperationTool, text: string): CallToolResult {
  const bytes = Buffer.byteLength(text)
  const detail =
    `The reply of ${operation.name} has ${formatSize(bytes)}, and the result of a tool has at most ` +
    `${formatSize(BYTES_MAX)}.`
  if (operation.effect !== 'read') {
    const message = `It was done. ${detail} Read the parts that you need; do not repeat it.`
    return toTextResult({ done: true, reply_bytes: bytes, message })
  }
  throw new Problem('invalid_parameter', detail, {
    user_message: 'There is too much to show at once.',
    next_step:
      'Ask for less: a smaller limit and then the next_cursor, only some fields, or a filter, as ' +
      `far as ${operation.name} takes them. What is too large as a whole can be read with ` +
      `${operation.method} ${API_ROOT}${operation.path} over HTTP with an API key.`,
  })
}

/** Returns a result that is not the reply of an operation. */
export function toTextResult(value: JsonRecord): CallToolResult {
  return textResult(JSON.stringify(value))
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

/** Returns the problem document of an error, with its next step phrased for MCP. */
export function toProblemResult(
  error: unknown,
  { caller: { runtime, request_id }, note }: Pick<McpClient, 'caller' | 'note'>,
  phrasing: Phrasing,
): CallToolResult {
  const problem = toProblem(error, runtime, request_id)
  if (note) Object.assign(note, { error: problem.slug, status: problem.status })
  const document = problemDocument(problem, { request_id, docs_url: toDocsUrl(runtime), phrasing })
  const { retry_after_s } = problem.extra
  const shown = {
    ...document,
    ...wrapProblem(document, problem.extra.quotes_outsiders),
    ...(retry_after_s === undefined ? {} : { retry_after_s }),
  }
  return { ...toTextResult(shown), isError: true }
}
