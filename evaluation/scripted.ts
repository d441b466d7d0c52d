/**
 * What a script works with: the same hands as a model has, and a little sense. Operations without a
 * tool of their own are found by search_operations first, as a model has to; words of outsiders are
 * read from between their tags.
 */
import type { ToolArguments, AgentClient, ToolResult } from './agent-client.ts'
import type { Value } from './world.ts'

export interface ScriptedAgent {
  /** Uses a tool that must work. */
  use(name: string, given?: ToolArguments): Promise<Value>
  /** Uses a tool, whatever comes of it. */
  attempt(name: string, given?: ToolArguments): Promise<ToolResult>
  /** Finds an operation by what is wanted and runs it; it must be found and work. */
  run(wanted: string, operation: string, given?: ToolArguments): Promise<Value>
  /** The schema of the arguments of an operation, as the search shows it for its exact name. */
  argumentsOf(operation: string): Promise<string>
  attemptRun(wanted: string, operation: string, given?: ToolArguments): Promise<ToolResult>
  /** Says that it is ready, and gives what the owner asks for then. */
  ready(said: string): Promise<string>
}

type NextAsk = (said: string) => Promise<string | null>

export function scriptedAgent(client: AgentClient, nextAsk: NextAsk): ScriptedAgent {
  const { use } = client
  const attemptRun: ScriptedAgent['attemptRun'] = async (wanted, operation, given = {}) => {
    const found = worked('search_operations', await use('search_operations', { query: wanted }))
    const one = found.operations.find((each: Value) => each.operation === operation)
    if (!one) throw new Error(`"${wanted}" does not find ${operation}: ${JSON.stringify(found)}`)
    return one.run_with.startsWith('run_')
      ? use(one.run_with, { operation, arguments: given })
      : use(one.run_with, given)
  }
  return {
    attempt: use,
    attemptRun,
    async argumentsOf(operation) {
      const found = await use('search_operations', { query: operation })
      return JSON.stringify(worked('search_operations', found).operations[0].arguments)
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

function worked(name: string, { is_error, text, value }: ToolResult): Value {
  if (is_error) throw new Error(`${name} answered ${text}`)
  return value
}

const wrapped = /^<(untrusted-[0-9a-f]+)>(?<words>[\s\S]*)<\/\1>$/

/** What outsiders wrote, out of its tags. */
export function wordsOf(text: string): string {
  return wrapped.exec(text)?.groups?.['words'] ?? text
}

/** The data of a document, whoever wrote it. */
export function dataOf(document: Value): Value {
  const { data } = document
  return typeof data === 'string' ? JSON.parse(wordsOf(data)) : data
}
