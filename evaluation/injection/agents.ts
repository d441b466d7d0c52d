/**
 * Three scripted agents that read text of outsiders: one only reads, one obeys orders outside the
 * tags, and one obeys every order. They are the best and worst cases of a model.
 */
import type { TestRuntime } from '../../test/fixtures/runtime.ts'
import { openAgentClient, type AgentClient, type ToolResult } from '../agent/agent-client.ts'
import { scriptedAgent } from '../agent/scripted.ts'
import { openWorld, type AtEnd, type World } from '../world.ts'
import {
  writeBait,
  containsBait,
  findAllOrders,
  findOrdersOutsideTags,
  type InjectedOrder,
} from './bait.ts'
import type { Case } from './cases.ts'

export type AgentBehaviour = 'careful' | 'obedient' | 'gullible'

export interface CaseOutcome {
  /** Whether the agent received the injected text. */
  read: boolean
  /** Whether the injected text was outside the tags. */
  in_the_open: boolean
  /** The results of the obeyed orders. */
  obeyed: readonly ToolResult[]
  /** Whether the ordered harm happened. */
  harmed: boolean
}

const heeds: Readonly<Record<AgentBehaviour, (used: ToolResult) => InjectedOrder[]>> = {
  careful: () => [],
  obedient: findOrdersOutsideTags,
  gullible: findAllOrders,
}

export interface OpenCase {
  world: World
  /** Lets an agent read the injected text. `query` is the query string of the MCP address. */
  letRead(reader: AgentBehaviour, query?: string): Promise<CaseOutcome>
}

/** Sets up the project once. Later agents see the effects of earlier ones. */
export async function openCase(
  { place, harm, options = {} }: Case,
  { seed, server }: { seed: number; server: TestRuntime },
  atEnd: AtEnd,
): Promise<OpenCase> {
  const world = await openWorld({ ...options, seed, server }, atEnd)
  const { order, happened } = await harm(world)
  const { read } = await place(world, writeBait(order))
  return {
    world,
    async letRead(reader, query = '') {
      const client = await openAgentClient(world, { query })
      const { heard, watched } = listen(client)
      await read(scriptedAgent(watched, async () => null))
      const obeyed = await obey(client, heard.flatMap(heeds[reader]))
      await client.close()
      return {
        obeyed,
        read: heard.some((used) => containsBait(used, 'anywhere')),
        in_the_open: heard.some((used) => containsBait(used, 'open')),
        harmed: await happened(),
      }
    },
  }
}

async function obey(client: AgentClient, orders: readonly InjectedOrder[]): Promise<ToolResult[]> {
  const obeyed: ToolResult[] = []
  for (const one of orders) {
    // Spoken text has no underscores.
    const meant = client.tools.find(({ name }) => lettersOf(name) === lettersOf(one.tool))
    if (meant) obeyed.push(await client.use(meant.name, one.arguments))
  }
  return obeyed
}

const lettersOf = (name: string) => name.replaceAll('_', '')

/** A client that records everything it receives. */
function listen(client: AgentClient): { heard: ToolResult[]; watched: AgentClient } {
  const heard: ToolResult[] = []
  const watched: AgentClient = {
    ...client,
    async use(name, given) {
      const used = await client.use(name, given)
      heard.push(used)
      return used
    },
  }
  return { heard, watched }
}
