/** The line of a connection: right angles with round corners, through lanes between the steps. */
import { COLUMN_WIDTH, NODE_WIDTH, type Point } from './layout.ts'

const RADIUS = 12
/** Length of the first and last straight piece. */
const STUB = 20

export interface EdgeEnds {
  source: Point
  target: Point
  /** Where it passes the columns in between: the left upper corner of each lane. */
  lanes: readonly Point[]
  /** Moves the turn, so that lines of one step lie beside each other. */
  shift: number
  /** The lower end of both steps, below which a line back runs. */
  bottom: number
}

export function edgePath({ source, target, lanes, shift, bottom }: EdgeEnds): string {
  if (target.x <= source.x) {
    const below = bottom + 26 + shift
    return rounded([
      source,
      { x: source.x + STUB + shift, y: source.y },
      { x: source.x + STUB + shift, y: below },
      { x: target.x - STUB - shift, y: below },
      { x: target.x - STUB - shift, y: target.y },
      target,
    ])
  }
  const points = [source]
  let x = source.x
  let { y } = source
  for (const lane of lanes) {
    const turn = turnBefore(x, lane.x, shift)
    points.push({ x: turn, y }, { x: turn, y: lane.y })
    x = lane.x + NODE_WIDTH
    y = lane.y
  }
  const turn = turnBefore(x, target.x, shift)
  points.push({ x: turn, y }, { x: turn, y: target.y }, target)
  return rounded(points)
}

function turnBefore(from: number, to: number, shift: number): number {
  const gap = Math.min(to - from, COLUMN_WIDTH - NODE_WIDTH)
  const most = Math.max(0, gap / 2 - STUB)
  return to - gap / 2 + Math.max(-most, Math.min(most, shift))
}

function rounded(points: readonly Point[]): string {
  const [first, ...others] = points.filter(
    (point, index) => index === 0 || distance(point, points[index - 1] ?? point) > 0.5,
  )
  if (first === undefined) return ''
  let path = `M${first.x},${first.y}`
  let before = first
  others.forEach((corner, index) => {
    const after = others[index + 1]
    if (after === undefined) {
      path += `L${corner.x},${corner.y}`
      return
    }
    const radius = Math.min(RADIUS, distance(before, corner) / 2, distance(corner, after) / 2)
    const start = toward(corner, before, radius)
    const end = toward(corner, after, radius)
    path += `L${start.x},${start.y}Q${corner.x},${corner.y} ${end.x},${end.y}`
    before = corner
  })
  return path
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

function toward(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to) || 1
  return {
    x: from.x + ((to.x - from.x) * length) / whole,
    y: from.y + ((to.y - from.y) * length) / whole,
  }
}
