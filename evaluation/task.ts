/**
 * A task: the request of an owner, the setup of the project, and checks of the final state. The agent's
 * own message counts only if the owner asked a question, and is compared with facts that were generated
 * for this run.
 */
import type { ScriptedAgent } from './agent/scripted.ts'
import type { PersonAnswer } from './agent/agent-client.ts'
import type { World, WorldOptions } from './world.ts'

/**
 * The values in the owner's request, by name. A script has no other information about the setup.
 */
type Given = Readonly<Record<string, string>>

export interface TaskStage<Known extends Given> {
  given: Known
  /** Returns the failed checks; empty if the task is done. */
  check(said: string): Promise<readonly string[]>
  /** Runs after each tool call of the agent. */
  meanwhile?(used: readonly string[]): Promise<void>
  /** Runs once the agent reports that it is done; then the owner makes a second request. */
  next?: { happens(): Promise<void>; ask: string }
  /** Answers questions to the person; without it, the client has no elicitation. */
  person?: PersonAnswer
}

/** Runs the steps of a scripted agent. Returns its final message to the owner. */
export type TaskScript<Known extends Given> = (
  agent: ScriptedAgent,
  given: Known,
) => Promise<string>

/** `query` is the query string of the agent's MCP address, such as `?read_only=true`. */
type TaskOptions = Omit<WorldOptions, 'seed' | 'server'> & { query?: string }

interface Declared<Known extends Given> {
  name: string
  options?: TaskOptions
  stage(world: World): Promise<TaskStage<Known>>
  /** The owner's request, with every value of `given`. */
  ask(given: Known): string
  /** A correct solution. */
  script: TaskScript<Known>
  /** Incorrect solutions, by the fault that each has. The check must reject each of them. */
  wrong: Readonly<Record<string, TaskScript<Known>>>
}

export interface OpenTask extends Omit<TaskStage<Given>, 'given'> {
  ask: string
  given: Given
  right(agent: ScriptedAgent): Promise<string>
  wrong(name: string, agent: ScriptedAgent): Promise<string>
}

export interface EvaluationTask {
  name: string
  options: TaskOptions
  wrong: readonly string[]
  open(world: World): Promise<OpenTask>
}

export function task<Known extends Given>(declared: Declared<Known>): EvaluationTask {
  const { name, options = {}, stage, ask, script, wrong } = declared
  return {
    name,
    options,
    wrong: Object.keys(wrong),
    async open(world) {
      const { given, ...rest } = await stage(world)
      return {
        ...rest,
        given,
        ask: ask(given),
        right: (agent) => script(agent, given),
        wrong(which, agent) {
          const one = wrong[which]
          if (!one) throw new Error(`${name} cannot be done wrong by "${which}".`)
          return one(agent, given)
        },
      }
    },
  }
}

/** Returns the sentences whose condition is false. */
export function listFalse(...judged: readonly (readonly [holds: boolean, sentence: string])[]) {
  return judged.filter(([holds]) => !holds).map(([, sentence]) => sentence)
}
