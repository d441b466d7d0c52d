/**
 * Analyses a plan as a graph: the edges between nodes, and whether they wait for the caller. A
 * cycle without input of the caller would hold a call forever, so it is a fault; other cycles are
 * allowed, because callers hang up. Reads nodes as received, invalid ones included, so that its
 * faults can be reported with all others.
 */
import { escapePointerPart } from '../../../kernel/values/json.ts'

export type UncheckedNode = Readonly<Record<string, unknown>>

export interface PlanFault {
  /** JSON pointer into the plan. */
  path: string
  message: string
}

interface Edge {
  /** JSON pointer below the node. */
  path: string
  to: string
  /** Whether the node waits for input of the caller before the edge is taken. */
  asks: boolean
}

/** The names of edge fields by node type. Menu options and caller rules have more edges. */
const edgeFields: Readonly<Record<string, { asks?: string[]; goes_on?: string[] }>> = {
  forward: { goes_on: ['onNoAnswer', 'onBusy', 'onFailed'] },
  ai_agent: { asks: ['onEnd', 'onTransfer', 'onMaxDuration'], goes_on: ['onUnavailable'] },
  readText: { goes_on: ['next'] },
  menu: { asks: ['onNoInput', 'onInvalid'] },
  openingHours: { goes_on: ['onOpen', 'onClosed', 'onHoliday'] },
  callerMatch: { goes_on: ['default'] },
  playAudio: { goes_on: ['next'] },
  voicemail: { goes_on: ['next'] },
  sendSms: { goes_on: ['next'] },
  goto: { goes_on: ['node'] },
  hangup: {},
}

export function isJsonObject(value: unknown): value is UncheckedNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the nodes that are objects, by key. */
export function listNodes(nodes: unknown): [string, UncheckedNode][] {
  if (!isJsonObject(nodes)) return []
  return Object.entries(nodes).flatMap(([key, node]) => (isJsonObject(node) ? [[key, node]] : []))
}

function edgesOf(node: UncheckedNode): Edge[] {
  const type = typeof node['type'] === 'string' ? node['type'] : ''
  const fields = Object.hasOwn(edgeFields, type) ? edgeFields[type] : undefined
  const named = (names: string[] = [], asks: boolean) =>
    names.map((name) => ({ path: `/${name}`, to: node[name], asks }))
  const edges = [...named(fields?.asks, true), ...named(fields?.goes_on, false)]
  if (type === 'menu') edges.push(...optionEdges(node['options']))
  if (type === 'callerMatch') edges.push(...ruleEdges(node['rules']))
  return edges.flatMap(({ path, to, asks }) => (typeof to === 'string' ? [{ path, to, asks }] : []))
}

function optionEdges(options: unknown) {
  if (!isJsonObject(options)) return []
  return Object.entries(options).map(([key, to]) => ({
    path: `/options/${escapePointerPart(key)}`,
    to,
    asks: true,
  }))
}

function ruleEdges(rules: unknown) {
  if (!Array.isArray(rules)) return []
  return rules.flatMap((rule: unknown, index) =>
    isJsonObject(rule) ? [{ path: `/rules/${index}/next`, to: rule['next'], asks: false }] : [],
  )
}

/** Returns a fault for each edge to a missing node. */
export function findDanglingEdges(nodes: UncheckedNode): PlanFault[] {
  return listNodes(nodes).flatMap(([key, node]) =>
    edgesOf(node)
      .filter(({ to }) => !Object.hasOwn(nodes, to))
      .map(({ path, to }) => ({
        path: `/nodes/${escapePointerPart(key)}${path}`,
        message: `names the node "${to}", which is not in nodes`,
      })),
  )
}

/** The fields of a node type that name the next nodes, main edge first. */
export function listEdgeFields(type: string): string[] {
  const { asks = [], goes_on = [] } = Object.hasOwn(edgeFields, type)
    ? (edgeFields[type] ?? {})
    : {}
  return [...asks, ...goes_on]
}

/** The keys of unreachable nodes. */
export function findUnreachableNodes(entry: string, nodes: UncheckedNode): string[] {
  const all = new Map(listNodes(nodes))
  const reached = new Set([entry])
  for (const key of reached) {
    const node = all.get(key)
    for (const { to } of node ? edgesOf(node) : []) reached.add(to)
  }
  return [...all.keys()].filter((key) => !reached.has(key))
}

/** Returns a fault for each cycle without input of the caller, at the edge that closes it. */
export function findEndlessCycles(nodes: UncheckedNode): PlanFault[] {
  const edges = new Map(
    listNodes(nodes).map(([key, node]) => [key, edgesOf(node).filter(({ asks }) => !asks)]),
  )
  const faults: PlanFault[] = []
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (key: string): void => {
    if (done.has(key)) return
    trail.push(key)
    for (const { path, to } of edges.get(key) ?? []) {
      const start = trail.indexOf(to)
      if (start < 0) visit(to)
      else faults.push(circleFault([...trail.slice(start), to], path))
    }
    trail.pop()
    done.add(key)
  }
  for (const key of edges.keys()) visit(key)
  return faults
}

function circleFault(circle: readonly string[], path: string): PlanFault {
  const closing = circle.at(-2) ?? ''
  return {
    path: `/nodes/${escapePointerPart(closing)}${path}`,
    message: `closes a loop without any caller input: ${circle.join(' → ')}`,
  }
}
