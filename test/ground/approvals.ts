/** Proposals over MCP by a client that cannot put a question, and the people who decide about them. */
import assert from 'node:assert/strict'
import type { Answer, TestHouse } from './house.ts'
import { callMessage, post } from './mcp.ts'

type Ground = Pick<TestHouse, 'url' | 'key'>

/** Runs an operation by its name, and gives the result of the tool. */
export async function runTool(
  ground: Ground,
  operation: string,
  given: Record<string, unknown>,
  key = ground.key,
): Promise<any> {
  const asked = { operation, arguments: given }
  const { body, text } = await post(ground, callMessage('run_write_operation', asked), { key })
  assert.ok(body?.result, text)
  return body.result
}

export function problemOf(result: any): any {
  assert.equal(result.isError, true, JSON.stringify(result))
  const problem = JSON.parse(result.content[0].text)
  return { ...problem, slug: problem.type.split('/').at(-1) }
}

/** Proposes something, and gives the id of the approval that waits for it. */
export async function askFor(
  ground: Ground,
  operation: string,
  given: Record<string, unknown>,
  key = ground.key,
): Promise<string> {
  const problem = problemOf(await runTool(ground, operation, given, key))
  assert.equal(problem.slug, 'confirmation_required', JSON.stringify(problem))
  assert.ok(problem.approval, JSON.stringify(problem))
  return problem.approval.id
}

/** An approval as a key reads it. */
export async function readApproval(ground: TestHouse, id: string, key = ground.key): Promise<any> {
  const answer: Answer = await ground.call(`GET /approvals/${id}`, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
