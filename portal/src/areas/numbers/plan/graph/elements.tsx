/** The nodes and edges that React Flow draws, made of the steps of the plan. */
import { BaseEdge, MarkerType, type Edge, type EdgeProps, type Node } from '@xyflow/react'
import { useMemo } from 'react'
import { usePlanEditor } from '../editor-context.tsx'
import { edgePath } from '../model/edge-path.ts'
import { exitsOf, keyedField, shownExits } from '../model/exits.ts'
import { pointerOf, type JsonObject } from '../model/json.ts'
import { edgeId, heightOf, layoutOf, NODE_WIDTH, type Layout, type Point } from '../model/layout.ts'
import type { Schema } from '../model/node-schema.ts'
import { entryOf, stepOf } from '../model/plan.ts'
import { useExitNames, useStepNames } from '../names.ts'
import { usePlanTexts } from '../texts.ts'
import { StartNode, StepNode } from './step-node.tsx'

const START = ' start'
const START_SIZE = { width: 116, height: 30 }
const START_GAP = 44

/** What React Flow measured of a step, and where a person put it. */
export type Moved = ReadonlyMap<
  string,
  { measured?: { width: number; height: number }; position?: Point }
>

export const nodeTypes = { step: StepNode, start: StartNode }
export const edgeTypes = { exit: ExitEdge }

export function useElements(moved: Moved, selectedEdge: string | null) {
  const { plan, schemas } = usePlanEditor()
  const layout = useMemo(() => layoutOf(plan, schemas), [plan, schemas])
  const nodes = useNodes(layout, moved)
  return { nodes, edges: useEdges({ layout, moved, nodes, selectedEdge }) }
}

function useNodes({ places }: Layout, moved: Moved): Node[] {
  const stepName = useStepNames()
  const { plan, schemas, steps, selected, mayEdit } = usePlanEditor()
  const nodes = steps.map((step, index): Node => {
    const { id, type, node } = step
    const own = moved.get(id)
    const isSelected = id === selected
    const isOpen = isSelected && mayEdit
    const rows = isOpen ? openRows(schemas[type], node) : shownExits(schemas[type], node).rows
    return {
      id,
      type: 'step',
      data: {},
      position: own?.position ?? places.get(id) ?? { x: 0, y: 0 },
      width: NODE_WIDTH,
      height: heightOf(rows),
      selected: isSelected,
      zIndex: isSelected ? 10 : 0,
      deletable: mayEdit,
      ariaLabel: `${index + 1}. ${stepName(step)}`,
      ...(own?.measured && { measured: own.measured }),
    }
  })
  const first = nodes.find(({ id }) => id === entryOf(plan))
  return first === undefined ? nodes : [startNode(first, moved), ...nodes]
}

/** A chosen step shows every exit, and that of a new key. */
function openRows(schema: Schema | undefined, node: JsonObject): number {
  return exitsOf(schema, node).length + (keyedField(schema) === null ? 0 : 1)
}

/** The mark of the start, left of the first step. */
function startNode(first: Node, moved: Moved): Node {
  const measured = moved.get(START)?.measured
  return {
    id: START,
    type: 'start',
    data: {},
    position: { x: first.position.x - START_SIZE.width - START_GAP, y: first.position.y + 17 },
    ...START_SIZE,
    draggable: false,
    selectable: false,
    focusable: false,
    deletable: false,
    connectable: false,
    ...(measured && { measured }),
  }
}

interface EdgeInput {
  layout: Layout
  moved: Moved
  nodes: readonly Node[]
  selectedEdge: string | null
}

function useEdges({ layout, moved, nodes, selectedEdge }: EdgeInput): Edge[] {
  const t = usePlanTexts()
  const stepName = useStepNames()
  const exitName = useExitNames()
  const { plan, schemas, steps, selected } = usePlanEditor()
  const bottoms = new Map(nodes.map(({ id, position, height = 0 }) => [id, position.y + height]))
  const edges = steps.flatMap((step) =>
    exitsOf(schemas[step.type], step.node).flatMap((exit, index): Edge[] => {
      const next = stepOf(plan, exit.to)
      if (next === null) return []
      const id = edgeId(step.id, pointerOf(exit.path))
      const isNear = step.id === selected || next.id === selected || id === selectedEdge
      const names = { from: stepName(step), exit: exitName(exit), to: stepName(next) }
      const isMoved = [step.id, next.id].some((one) => moved.get(one)?.position !== undefined)
      const data: EdgeData = {
        lanes: isMoved ? [] : (layout.lanes.get(id) ?? []),
        shift: 18 - index * 9,
        bottom: Math.max(bottoms.get(step.id) ?? 0, bottoms.get(next.id) ?? 0),
      }
      return [
        {
          id,
          type: 'exit',
          source: step.id,
          sourceHandle: pointerOf(exit.path),
          target: next.id,
          data,
          selected: id === selectedEdge,
          className: isNear ? 'is-near' : '',
          markerEnd: arrow(isNear),
          ariaLabel: t('edge_label', names),
          zIndex: isNear ? 1 : 0,
        },
      ]
    }),
  )
  const entry = entryOf(plan)
  return stepOf(plan, entry) === null || entry === null ? edges : [startEdge(entry), ...edges]
}

type EdgeData = { lanes: readonly Point[]; shift: number; bottom: number }

function startEdge(entry: string): Edge {
  return {
    id: START,
    type: 'exit',
    source: START,
    target: entry,
    focusable: false,
    selectable: false,
    deletable: false,
    markerEnd: arrow(false),
  }
}

function arrow(isNear: boolean) {
  const color = isNear ? 'var(--accent)' : 'var(--faint)'
  return { type: MarkerType.ArrowClosed, width: 16, height: 16, color }
}

function ExitEdge(props: EdgeProps<Edge<EdgeData>>) {
  const { id, sourceX, sourceY, targetX, targetY, markerEnd, data } = props
  const path = edgePath({
    source: { x: sourceX, y: sourceY },
    target: { x: targetX, y: targetY },
    lanes: data?.lanes ?? [],
    shift: data?.shift ?? 0,
    bottom: data?.bottom ?? Math.max(sourceY, targetY),
  })
  return <BaseEdge id={id} path={path} interactionWidth={18} {...(markerEnd && { markerEnd })} />
}
