/**
 * The scripted agent: the same tools as a model has. It finds operations that are not listed with
 * search_operations, as a model does, and reads text of outsiders from between its tags.
 */
import type { ToolArguments, AgentClient, ToolResult } from './agent-client.ts'
import type { ReplyValue } from '../world.ts'

export interface ScriptedAgent {
  /** Calls a tool. Throws if it fails. */
  use(name: string, given?: ToolArguments): Promise<ReplyValue>
  /** Calls a tool and returns its result, also if it fails. */
  attempt(name: string, given?: ToolArguments): Promise<ToolResult>
  /** Finds an operation by a wish and runs it. Throws if it is not found or fails. */
  run(wanted: string, operation: string, given?: ToolArguments): Promise<ReplyValue>
  /** Returns the schema of an operation's arguments, from a search for its exact name. */
  argumentsOf(operation: string): Promise<string>
  attemptRun(wanted: string, operation: string, given?: ToolArguments): Promise<ToolResult>
  /** Reports that the agent is done, and returns the owner's next request. */
  ready(said: string): Promise<string>
}

type NextAsk = (said: string) => Promise<string | null>

export function scriptedAgent(client: AgentClient, nextAsk: NextAsk): ScriptedAgent {
  const { use } = client
  const search = async (query: string) =>
    worked('search_operations', await use('search_operations', { query }))
  const attemptRun: ScriptedAgent['attemptRun'] = async (wanted, operation, given = {}) => {
    const found = await search(wanted)
    const [, area = '', verb = ''] = /^(\w+)\.(\w+)$/.exec(operation) ?? []
    const isListed = found.others?.[area]?.split(', ').includes(verb)
    const { operations } = isListed ? await search(operation) : found
    const one = operations.find((each: ReplyValue) => each.operation === operation)
    if (!one) throw new Error(`"${wanted}" does not find ${operation}: ${JSON.stringify(found)}`)
    return one.run_with.startsWith('run_')
      ? use(one.run_with, { operation, arguments: given })
      : use(one.run_with, given)
  }
  return {
    attempt: use,
    attemptRun,
    async argumentsOf(operation) {
      const { operations } = await search(operation)
      return JSON.stringify(operations[0])
    },
    use: async (name, given) => worked(name, await use(name, given)),
    run: async (wanted, operation, given) =>
      worked(operation, await attemptRun(wanted, operation, given)),
    async ready(said) {
      const more = await nextAsk(said)
      if (more === null) throw new Error('The owner asks for nothing more.')
      return more
    },
  }
}

function worked(name: string, { is_error, text, value }: ToolResult): ReplyValue {
  if (is_error) throw new Error(`${name} answered ${text}`)
  return typeof value?.data === 'string' ? { ...value, data: unwrapData(value) } : value
}

const wrapped = /^<(untrusted-[0-9a-f]+)>(?<words>[\s\S]*)<\/\1>$/

/** Removes the tags around text of outsiders. */
export function unwrapText(text: string): string {
  return wrapped.exec(text)?.groups?.['words'] ?? text
}

/** Returns the data of a document, also if it is wrapped in tags. */
export function unwrapData(document: ReplyValue): ReplyValue {
  const { data } = document
  return typeof data === 'string' ? JSON.parse(unwrapText(data)) : data
}
