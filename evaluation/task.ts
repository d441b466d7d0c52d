/**
 * A task: what an owner asks an assistant for, the stage it happens on, and how one sees afterwards
 * whether it was done. What the agent says counts only where the owner asked a question, and then
 * against facts that were made up for this run.
 */
import type { ScriptedAgent } from './scripted.ts'
import type { PersonAnswer } from './agent-client.ts'
import type { World, WorldOptions } from './world.ts'

/** What the owner says, by name; a script reads nothing else of the stage. */
type Given = Readonly<Record<string, string>>

export interface Stage<Known extends Given> {
  given: Known
  /** What is wrong afterwards; nothing, when the task is done. */
  check(said: string): Promise<readonly string[]>
  /** Happens after the agent has used a tool, as long as it works. */
  meanwhile?(used: readonly string[]): Promise<void>
  /** Happens once the agent has said that it is ready; then the owner asks for something more. */
  next?: { happens(): Promise<void>; ask: string }
  /** Who is asked for a yes; nobody unless told. */
  person?: PersonAnswer
}

/** An agent that follows a script. What it gives back is what it says to the owner at the end. */
export type TaskScript<Known extends Given> = (
  agent: ScriptedAgent,
  given: Known,
) => Promise<string>

/** `query`: what follows /mcp in the address of the agent, such as `?read_only=true`. */
type TaskOptions = Omit<WorldOptions, 'seed' | 'server'> & { query?: string }

interface Declared<Known extends Given> {
  name: string
  options?: TaskOptions
  stage(world: World): Promise<Stage<Known>>
  /** What the owner says. It has every value of what is given. */
  ask(given: Known): string
  /** One way of doing it right. */
  script: TaskScript<Known>
  /** Ways of doing it wrong, by what is wrong; none of them may pass. */
  wrong: Readonly<Record<string, TaskScript<Known>>>
}

export interface OpenTask extends Omit<Stage<Given>, 'given'> {
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

/** The sentences whose condition does not hold. */
export function faults(...judged: readonly (readonly [holds: boolean, sentence: string])[]) {
  return judged.filter(([holds]) => !holds).map(([, sentence]) => sentence)
}
