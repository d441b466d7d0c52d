/**
 * Runs a task with a driver in an environment of its own. The result is based on the final state,
 * and counts tool calls, tokens and time.
 */
import type { TestRuntime } from '../test/fixtures/runtime.ts'
import { openAgentClient, type AgentClient } from './agent/agent-client.ts'
import { scriptedAgent, type ScriptedAgent } from './agent/scripted.ts'
import type { OpenTask, EvaluationTask } from './task.ts'
import { openWorld, type AtEnd } from './world.ts'

export interface TaskResult {
  task: string
  success: boolean
  /** The failed checks. */
  faults: readonly string[]
  tool_calls: number
  /** The number of uses of each tool. */
  tools: Readonly<Record<string, number>>
  /** The estimated size of the conversation, by the same rule for all drivers. */
  tokens_estimated: number
  /** The count of the model's provider over all steps; null without a model. */
  tokens_counted: TokenCounts | null
  time_ms: number
  /** Why the run ended. */
  ended: 'done' | 'step_limit' | 'token_limit' | 'error'
  said: string
}

export interface TokenCounts {
  input: number
  output: number
}

export interface DriverResult {
  ended: TaskResult['ended']
  tokens_counted: TokenCounts | null
  /** The final message of the agent, or the error. */
  said: string
}

/** Carries out a task. `nextAsk` takes the agent's message and returns the owner's next request. */
export type Driver = (doing: DriverInput) => Promise<DriverResult>

export interface DriverInput {
  client: AgentClient
  task: OpenTask
  nextAsk(said: string): Promise<string | null>
}

/** A driver that follows a script, by default the correct script of the task. */
export function scriptedDriver(
  script: (task: OpenTask, agent: ScriptedAgent) => Promise<string> = (task, agent) =>
    task.right(agent),
): Driver {
  return async ({ client, task, nextAsk }) => {
    const said = await script(task, scriptedAgent(client, nextAsk))
    return { ended: 'done', tokens_counted: null, said }
  }
}

/** A driver that reports success without doing anything. */
export const idleDriver: Driver = async ({ nextAsk }) => {
  const said = 'Done. Everything is as you wished.'
  await nextAsk(said)
  return { ended: 'done', tokens_counted: null, said }
}

export async function runTask(
  declared: EvaluationTask,
  { seed, driver, server }: { seed: number; driver: Driver; server?: TestRuntime },
  atEnd: AtEnd,
): Promise<TaskResult> {
  const { query = '', ...options } = declared.options
  const world = await openWorld({ ...options, seed, server }, atEnd)
  const task = await declared.open(world)
  const used: string[] = []
  const client = await openAgentClient(world, {
    person: task.person ?? null,
    query,
    async afterUse(name) {
      used.push(name)
      await task.meanwhile?.(used)
    },
  })
  client.read(task.ask)
  let asked = false
  const words: string[] = []
  const nextAsk: DriverInput['nextAsk'] = async (said) => {
    words.push(said)
    client.read(said)
    if (asked || !task.next) return null
    asked = true
    await task.next.happens()
    client.read(task.next.ask)
    return task.next.ask
  }
  const started = performance.now()
  const { said, ...ended } = await driver({ client, task, nextAsk }).catch(failed)
  const time_ms = Math.round(performance.now() - started)
  await client.close()
  const spoken = [...words, said].join('\n')
  const faults = await task.check(spoken)
  return {
    task: declared.name,
    success: faults.length === 0,
    faults,
    tool_calls: client.used.length,
    tools: countOf(client.used),
    tokens_estimated: client.tokens(),
    time_ms,
    said: spoken,
    ...ended,
  }
}

/** Reports an error of the agent as its final message. */
function failed(error: unknown): DriverResult {
  const said = error instanceof Error ? error.message : String(error)
  return { ended: 'error', tokens_counted: null, said }
}

function countOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
