/** Simulated calls for setup and checks: numbers that the assistant answers, and scripted callers. */
import type { TestRuntime } from '../test/fixtures/runtime.ts'
import type { ReplyValue, World } from './world.ts'

interface Ringing {
  number_id: string
  says: readonly string[]
  from?: string
}

/** Simulates a caller who says these sentences. Returns the call with its transcript. */
export async function simulateCall(
  { call }: TestRuntime,
  { number_id, says, from = '+447700900950' }: Ringing,
): Promise<ReplyValue> {
  const turns = says.map((say) => ({ say }))
  const made = await call('POST /test/calls', { body: { number_id, turns, from } })
  if (made.status !== 201) throw new Error(`The simulated call failed: ${made.text}`)
  return (await call(`GET /calls/${made.body.id}`)).body
}

/** Returns the text that the assistant said in a call. */
export function readAssistantWords({ transcript }: ReplyValue): string {
  const own = transcript.filter(({ role }: ReplyValue) => role === 'assistant')
  return own.map(({ text }: ReplyValue) => text).join('\n')
}

let numbers = 0

/** Orders a number that the assistant answers, and returns its id. */
export async function orderAnsweredNumber({ ask }: World, assistant: object): Promise<string> {
  numbers += 1
  await ask('PUT /assistant', assistant)
  const { id } = await ask('POST /numbers', {}, { 'idempotency-key': `stage-${numbers}` })
  const plan = { entry: 'ai', nodes: { ai: { id: 'ai', type: 'ai_agent' } } }
  await ask(`PUT /numbers/${id}/call-plan`, plan)
  return id
}
