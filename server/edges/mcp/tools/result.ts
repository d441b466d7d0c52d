/**
 * Tool results: a reply as structured content and as text, or the problem document of REST. Text of
 * outsiders is wrapped in both.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { problemDocument } from '../../../contract/errors.ts'
import type { Phrasing } from '../../../contract/problems/next-steps.ts'
import { docsUrl, problemFrom } from '../../http/problems.ts'
import { isRecord } from './record.ts'
import type { JsonRecord } from '../../../contract/state-section.ts'
import { wrapRefusal } from '../transport/outsiders.ts'
import type { McpClient } from './surface.ts'
import type { OperationTool } from './tool.ts'

/** The result for the reply of an operation, which is the JSON text of REST. */
export function replyResult({ wrap }: OperationTool, text: string): CallToolResult {
  if (text === '') return structured({ done: true })
  const parsed: unknown = JSON.parse(text)
  const value = isRecord(parsed) ? parsed : { data: parsed }
  if (!wrap) return structured(value, text)
  const { notice } = wrap(value)
  return structured(value, notice === null ? text : `${notice}\n${JSON.stringify(value)}`)
}

/** The result of a tool that is not an operation. */
export function structured(value: JsonRecord, text = JSON.stringify(value)): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: value }
}

/** The problem document of an error, with its next step phrased for MCP. */
export function problemResult(
  error: unknown,
  { caller: { runtime, request_id }, note }: Pick<McpClient, 'caller' | 'note'>,
  phrasing: Phrasing,
): CallToolResult {
  const problem = problemFrom(error, runtime, request_id)
  if (note) Object.assign(note, { error: problem.slug, status: problem.status })
  const document = problemDocument(problem, { request_id, docs_url: docsUrl(runtime), phrasing })
  const { retry_after_s } = problem.extra
  const shown = {
    ...document,
    ...wrapRefusal(document),
    ...(retry_after_s === undefined ? {} : { retry_after_s }),
  }
  return { content: [{ type: 'text', text: JSON.stringify(shown) }], isError: true }
}
