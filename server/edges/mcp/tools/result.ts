/**
 * Tool results: a reply as structured content and as text, or the problem document of REST. Text of
 * outsiders is wrapped in both.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { Problem, problemDocument } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Phrasing } from '../../../contract/problems/next-steps.ts'
import { toDocsUrl, toProblem } from '../../http/problems.ts'
import { API_ROOT } from '../../http/routes.ts'
import { formatSize } from '../../../kernel/values/size.ts'
import { isRecord } from './record.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import { wrapProblem } from '../transport/outsiders.ts'
import type { McpClient } from './surface.ts'
import type { OperationTool } from './tool.ts'

const BYTES_MAX = limits.mcp_result_bytes_max

/**
 * Returns the result for the reply of an operation, which is the JSON text of REST. Throws a
 * Problem if the reply of a reading operation is too large. An operation that changes data has
 * taken effect by then, so its result says so instead.
 */
export function toReplyResult(tool: OperationTool, text: string): CallToolResult {
  if (text === '') return toStructuredResult({ done: true })
  // Checked before wrapping, because wrapping only adds text.
  if (Buffer.byteLength(text) > BYTES_MAX) return tooLarge(tool, text)
  const parsed: unknown = JSON.parse(text)
  const value = isRecord(parsed) ? parsed : { data: parsed }
  const notice = tool.wrap?.(value).notice ?? null
  const shown = notice === null ? text : `${notice}\n${JSON.stringify(value)}`
  return Buffer.byteLength(shown) > BYTES_MAX
    ? tooLarge(tool, shown)
    : toStructuredResult(value, shown)
}

function tooLarge({ operation }: OperationTool, text: string): CallToolResult {
  const bytes = Buffer.byteLength(text)
  const detail =
    `The reply of ${operation.name} has ${formatSize(bytes)}, and the result of a tool has at most ` +
    `${formatSize(BYTES_MAX)}.`
  if (operation.effect !== 'read') {
    const message = `It was done. ${detail} Read the parts that you need; do not repeat it.`
    return toStructuredResult({ done: true, reply_bytes: bytes, message })
  }
  throw new Problem('invalid_parameter', detail, {
    user_message: 'There is too much to show at once.',
    next_step:
      'Ask for less: a smaller limit and then the next_cursor, only some fields, or a filter, as ' +
      `far as ${operation.name} takes them. What is too large as a whole can be read with ` +
      `${operation.method} ${API_ROOT}${operation.path} over HTTP with an API key.`,
  })
}

/** Returns the result of a tool that is not an operation. */
export function toStructuredResult(
  value: JsonRecord,
  text = JSON.stringify(value),
): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: value }
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
    ...wrapProblem(document),
    ...(retry_after_s === undefined ? {} : { retry_after_s }),
  }
  return { content: [{ type: 'text', text: JSON.stringify(shown) }], isError: true }
}
