/** Calls for stages and checks: numbers that the assistant answers, and callers with a script. */
import type { TestRuntime } from '../test/fixtures/runtime.ts'
import type { Value, World } from './world.ts'

interface Ringing {
  number_id: string
  says: readonly string[]
  from?: string
}

/** Somebody calls a test number and says these things. Gives the call with its transcript. */
export async function ring(
  { call }: TestRuntime,
  { number_id, says, from = '+447700900950' }: Ringing,
): Promise<Value> {
  const turns = says.map((say) => ({ say }))
  const made = await call('POST /test/calls', { body: { number_id, turns, from } })
  if (made.status !== 201) throw new Error(`Nobody can call: ${made.text}`)
  return (await call(`GET /calls/${made.body.id}`)).body
}

/** What the assistant said in a call. */
export function spoken({ transcript }: Value): string {
  const own = transcript.filter(({ role }: Value) => role === 'assistant')
  return own.map(({ text }: Value) => text).join('\n')
}

let numbers = 0

/** A number that the assistant answers. */
export async function answeredNumber({ ask }: World, assistant: object): Promise<string> {
  numbers += 1
  await ask('PUT /assistant', assistant)
  const { id } = await ask('POST /numbers', {}, { 'idempotency-key': `stage-${numbers}` })
  const plan = { entry: 'ai', nodes: { ai: { id: 'ai', type: 'ai_agent' } } }
  await ask(`PUT /numbers/${id}/call-plan`, plan)
  return id
}
