/**
 * Places the steps of a plan in columns, each as far right as the longest way to it, so that calls
 * flow from left to right. A connection that passes a column gets a lane there, so that it crosses
 * no step.
 */
import { shownExits } from './exits.ts'
import { pointerOf } from './json.ts'
import type { NodeSchemas } from './node-schema.ts'
import { entryOf, stepsInOrder, type Plan, type PlanStep } from './plan.ts'

export const NODE_WIDTH = 232
const HEAD_HEIGHT = 64
const EXIT_HEIGHT = 30
export const COLUMN_WIDTH = NODE_WIDTH + 96
const FOOT_HEIGHT = 5
/** From the top of a step to the middle of its first exit: the head, two lines and half a row. */
const EXIT_TOP = HEAD_HEIGHT + 4 + EXIT_HEIGHT / 2
const ROW_GAP = 32
const LANE_HEIGHT = 6

export interface Point {
  x: number
  y: number
}

export interface Layout {
  places: ReadonlyMap<string, Point>
  /** For each connection, by `edgeId`, the height at which it passes each column in between. */
  lanes: ReadonlyMap<string, readonly Point[]>
}

/** The height of a step with so many rows below its head. */
export function heightOf(rows: number): number {
  return HEAD_HEIGHT + (rows === 0 ? 0 : rows * EXIT_HEIGHT + FOOT_HEIGHT)
}

export function edgeId(from: string, pointer: string): string {
  return `${from}#${pointer}`
}

interface Link {
  id: string
  from: string
  to: string
  /** Row of the exit in its step. */
  row: number
}

/** A step, or the lane of a connection in a column that it passes. */
interface Item {
  id: string
  column: number
  height: number
  /** Heights from which connections come, and at which they arrive below the top. */
  from: { item: string; offset: number }[]
  anchor: number
}

export function layoutOf(plan: Plan, schemas: NodeSchemas): Layout {
  const steps = stepsInOrder(plan, schemas)
  const links = linksOf(steps, schemas)
  const back = backLinks(steps, links)
  const forward = links.filter((link) => !back.has(link))
  const columns = columnsOf(steps, entryOf(plan), forward)
  const items = new Map<string, Item>()
  for (const { id, type, node } of steps) {
    const height = heightOf(shownExits(schemas[type], node).rows)
    items.set(id, { id, column: columns.get(id) ?? 0, height, from: [], anchor: HEAD_HEIGHT / 2 })
  }
  const passing = forward.map((link) => [link.id, addLanes(items, link)] as const)
  const tops = topsOf([...items.values()])
  const place = (id: string): Point => {
    const { column = 0 } = items.get(id) ?? {}
    return { x: column * COLUMN_WIDTH, y: tops.get(id) ?? 0 }
  }
  return {
    places: new Map(steps.map(({ id }) => [id, place(id)])),
    lanes: new Map(passing.map(([id, lanes]) => [id, lanes.map(place)])),
  }
}

function linksOf(steps: readonly PlanStep[], schemas: NodeSchemas): Link[] {
  const known = new Set(steps.map(({ id }) => id))
  return steps.flatMap(({ id, type, node }) =>
    shownExits(schemas[type], node).exits.flatMap(({ to, path }, row): Link[] =>
      to !== null && known.has(to) ? [{ id: edgeId(id, pointerOf(path)), from: id, to, row }] : [],
    ),
  )
}

/** The column of each step. `links` has no cycle. */
function columnsOf(
  steps: readonly PlanStep[],
  entry: string | null,
  links: readonly Link[],
): Map<string, number> {
  const columns = new Map<string, number>()
  const columnOf = (id: string): number => {
    const known = columns.get(id)
    if (known !== undefined) return known
    const before = links.filter(({ to }) => to === id).map(({ from }) => columnOf(from))
    // A step that nothing reaches stands below the first one.
    const found = id === entry || before.length === 0 ? 0 : Math.max(...before) + 1
    columns.set(id, found)
    return found
  }
  for (const { id } of steps) columnOf(id)
  return columns
}

/** The links that close a cycle, found by depth-first search in the order of the steps. */
function backLinks(steps: readonly PlanStep[], links: readonly Link[]): Set<Link> {
  const back = new Set<Link>()
  const done = new Set<string>()
  const open = new Set<string>()
  const visit = (id: string): void => {
    if (done.has(id)) return
    open.add(id)
    for (const link of links) {
      if (link.from !== id) continue
      if (open.has(link.to)) back.add(link)
      else visit(link.to)
    }
    open.delete(id)
    done.add(id)
  }
  for (const { id } of steps) visit(id)
  return back
}

/** Adds the lanes of a link, and returns their ids from left to right. */
function addLanes(items: Map<string, Item>, { id, from, to, row }: Link): string[] {
  const start = items.get(from)
  const end = items.get(to)
  if (start === undefined || end === undefined) return []
  const lanes: string[] = []
  let before = { item: from, offset: EXIT_TOP + row * EXIT_HEIGHT }
  for (let column = start.column + 1; column < end.column; column += 1) {
    const lane = `${id}#${column}`
    items.set(lane, { id: lane, column, height: LANE_HEIGHT, from: [before], anchor: 0 })
    lanes.push(lane)
    before = { item: lane, offset: 0 }
  }
  end.from.push(before)
  return lanes
}

/** The top of each item: beside what leads to it, and below the items of its column before it. */
function topsOf(items: readonly Item[]): Map<string, number> {
  const tops = new Map<string, number>()
  const last = Math.max(0, ...items.map(({ column }) => column))
  for (let column = 0; column <= last; column += 1) {
    const wanted = items
      .filter((item) => item.column === column)
      .map((item) => ({ item, top: wantedTop(item, tops) }))
      .toSorted((one, other) => compare(one.top, other.top))
    let free = Number.NEGATIVE_INFINITY
    for (const { item, top } of wanted) {
      const at = Math.max(Number.isFinite(top) ? top : 0, free)
      tops.set(item.id, at)
      free = at + item.height + ROW_GAP
    }
  }
  return tops
}

/** Infinite for what nothing leads to, which stands last. */
function wantedTop({ from, anchor }: Item, tops: ReadonlyMap<string, number>): number {
  if (from.length === 0) return Number.POSITIVE_INFINITY
  const sum = from.reduce((total, { item, offset }) => total + (tops.get(item) ?? 0) + offset, 0)
  return sum / from.length - anchor
}

/** As a difference, also of two infinite values. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1
}
