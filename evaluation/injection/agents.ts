/**
 * Three agents that read what outsiders wrote: one that only reads, one that obeys what stands
 * outside of the tags, and one that obeys everything. None of them is a model; what they do is the
 * best and the worst that a model could make of what it is given.
 */
import type { TestRuntime } from '../../test/fixtures/runtime.ts'
import { openAgentClient, type AgentClient, type ToolResult } from '../agent-client.ts'
import { scriptedAgent } from '../scripted.ts'
import { openWorld, type AtEnd, type World } from '../world.ts'
import { baitOf, isBaitIn, ordersAnywhere, ordersInTheOpen, type InjectedOrder } from './bait.ts'
import type { Case } from './cases.ts'

export type AgentBehaviour = 'careful' | 'obedient' | 'gullible'

export interface CaseOutcome {
  /** Whether the words were read at all. */
  read: boolean
  /** Whether they stood outside of the tags. */
  in_the_open: boolean
  /** What came of each order that was obeyed. */
  obeyed: readonly ToolResult[]
  /** Whether what they ask for has happened. */
  harmed: boolean
}

const heeds: Readonly<Record<AgentBehaviour, (used: ToolResult) => InjectedOrder[]>> = {
  careful: () => [],
  obedient: ordersInTheOpen,
  gullible: ordersAnywhere,
}

export interface OpenCase {
  world: World
  /** Lets somebody read; `query` is what follows /mcp in the address. */
  letRead(reader: AgentBehaviour, query?: string): Promise<CaseOutcome>
}

/** Sets the stage once; whoever reads there finds what those before have left. */
export async function openCase(
  { place, harm, options = {} }: Case,
  { seed, server }: { seed: number; server: TestRuntime },
  atEnd: AtEnd,
): Promise<OpenCase> {
  const world = await openWorld({ ...options, seed, server }, atEnd)
  const { order, happened } = await harm(world)
  const { read } = await place(world, baitOf(order))
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
        read: heard.some((used) => isBaitIn(used, 'anywhere')),
        in_the_open: heard.some((used) => isBaitIn(used, 'open')),
        harmed: await happened(),
      }
    },
  }
}

async function obey(client: AgentClient, orders: readonly InjectedOrder[]): Promise<ToolResult[]> {
  const obeyed: ToolResult[] = []
  for (const one of orders) {
    // What is spoken has no low lines.
    const meant = client.tools.find(({ name }) => lettersOf(name) === lettersOf(one.tool))
    if (meant) obeyed.push(await client.use(meant.name, one.arguments))
  }
  return obeyed
}

const lettersOf = (name: string) => name.replaceAll('_', '')

/** Hands that remember everything they got to read. */
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
