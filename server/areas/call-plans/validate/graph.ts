/**
 * Analyses a plan as a graph: the edges between nodes, and whether they wait for the caller. A
 * cycle without input of the caller would hold a call forever, so it is a fault; other cycles are
 * allowed, because callers hang up. Reads nodes as received, invalid ones included, so that its
 * faults can be reported with all others.
 */
import { pointerPart } from '../../../kernel/values/json.ts'

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
  /** Whether the caller gives input before the edge is taken. */
  asks: boolean
}

/** Edges by the name of their field. Menu options and caller rules have more edges. */
const edgeFields: Readonly<Record<string, { asks?: string[]; goes_on?: string[] }>> = {
  forward: { goes_on: ['onNoAnswer', 'onBusy', 'onFailed'] },
  ai_agent: { asks: ['onEnd', 'onTransfer', 'onMaxDuration'], goes_on: ['onUnavailable'] },
  readText: { goes_on: ['next'] },
  menu: { asks: ['onNoInput', 'onInvalid'] },
  openingHours: { goes_on: ['onOpen', 'onClosed', 'onHoliday'] },
  callerMatch: { goes_on: ['default'] },
  hangup: {},
}

export function isSent(value: unknown): value is UncheckedNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The nodes that are objects, by key. */
export function sentNodes(nodes: unknown): [string, UncheckedNode][] {
  if (!isSent(nodes)) return []
  return Object.entries(nodes).flatMap(([key, node]) => (isSent(node) ? [[key, node]] : []))
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
  if (!isSent(options)) return []
  return Object.entries(options).map(([key, to]) => ({
    path: `/options/${pointerPart(key)}`,
    to,
    asks: true,
  }))
}

function ruleEdges(rules: unknown) {
  if (!Array.isArray(rules)) return []
  return rules.flatMap((rule: unknown, index) =>
    isSent(rule) ? [{ path: `/rules/${index}/next`, to: rule['next'], asks: false }] : [],
  )
}

/** Edges to missing nodes. */
export function danglingEdges(nodes: UncheckedNode): PlanFault[] {
  return sentNodes(nodes).flatMap(([key, node]) =>
    edgesOf(node)
      .filter(({ to }) => !Object.hasOwn(nodes, to))
      .map(({ path, to }) => ({
        path: `/nodes/${pointerPart(key)}${path}`,
        message: `names the node "${to}", which is not in nodes`,
      })),
  )
}

/** The fields of a node type that name the next nodes, main edge first. */
export function edgeNamesOf(type: string): string[] {
  const { asks = [], goes_on = [] } = Object.hasOwn(edgeFields, type)
    ? (edgeFields[type] ?? {})
    : {}
  return [...asks, ...goes_on]
}

/** The keys of unreachable nodes. */
export function findUnreachableNodes(entry: string, nodes: UncheckedNode): string[] {
  const all = new Map(sentNodes(nodes))
  const reached = new Set([entry])
  for (const key of reached) {
    const node = all.get(key)
    for (const { to } of node ? edgesOf(node) : []) reached.add(to)
  }
  return [...all.keys()].filter((key) => !reached.has(key))
}

/** Cycles without input of the caller, each reported at the edge that closes it. */
export function endlessCircles(nodes: UncheckedNode): PlanFault[] {
  const edges = new Map(
    sentNodes(nodes).map(([key, node]) => [key, edgesOf(node).filter(({ asks }) => !asks)]),
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
    path: `/nodes/${pointerPart(closing)}${path}`,
    message: `closes a loop without any caller input: ${circle.join(' → ')}`,
  }
}
