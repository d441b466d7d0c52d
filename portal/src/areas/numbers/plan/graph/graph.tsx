/**
 * The plan as a graph: pan, zoom, drag from an exit to a step or to empty space. The layout is
 * automatic; a step that was dragged stays where it was put until the graph is tidied up.
 */
import '@xyflow/react/dist/base.css'
import {
  Background,
  Controls,
  ReactFlow,
  ReactFlowProvider,
  type Connection,
  type EdgeChange,
  type FinalConnectionState,
  type NodeChange,
} from '@xyflow/react'
import { LayoutGrid } from 'lucide-react'
import { useRef, useState, type RefObject } from 'react'
import { Button } from '../../../../ui/actions/button.tsx'
import { usePlanEditor } from '../editor-context.tsx'
import { exitsOf, freeKeys, keyedField } from '../model/exits.ts'
import { pathOf, pointerOf, type Path } from '../model/json.ts'
import { stepOf } from '../model/plan.ts'
import { usePlanTexts } from '../texts.ts'
import { AddHere, type AddPlace } from './add-here.tsx'
import { edgeTypes, nodeTypes, useElements, type Moved } from './elements.tsx'
import { NEW_KEY } from './step-node.tsx'
import { useView } from './use-view.ts'
import './graph.css'

export function Graph() {
  return (
    <ReactFlowProvider>
      <Canvas />
    </ReactFlowProvider>
  )
}

/** The button shows the whole plan, however small. */
const FIT = { padding: 0.08, maxZoom: 1 } as const
const DELETE_KEYS = ['Delete', 'Backspace']

function Canvas() {
  const t = usePlanTexts()
  const { mayEdit, select } = usePlanEditor()
  const [moved, setMoved] = useState<Moved>(new Map())
  const [edge, setEdge] = useState<string | null>(null)
  const [place, setPlace] = useState<AddPlace | null>(null)
  const { nodes, edges } = useElements(moved, edge)
  const changes = useChanges(setMoved, setEdge)
  const frame = useRef<HTMLDivElement>(null)
  const connections = useConnections(frame, setPlace)
  const isMoved = [...moved.values()].some(({ position }) => position)
  useView(isMoved, frame)
  return (
    <div
      ref={frame}
      role="region"
      aria-label={t('graph_label')}
      className="plan-graph relative h-140 lg:h-full"
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        {...changes}
        {...connections}
        onPaneClick={() => select(null)}
        nodesConnectable={mayEdit}
        deleteKeyCode={mayEdit ? DELETE_KEYS : null}
        multiSelectionKeyCode={null}
        selectionKeyCode={null}
        minZoom={0.3}
        maxZoom={1.5}
        ariaLabelConfig={useAriaLabels()}
      >
        <Background gap={20} size={1.4} />
        <Controls showInteractive={false} fitViewOptions={FIT} />
      </ReactFlow>
      {isMoved && (
        <Button
          size="sm"
          className="absolute top-3 right-3"
          onClick={() => setMoved((before) => settled(before))}
        >
          <LayoutGrid aria-hidden="true" />
          {t('tidy')}
        </Button>
      )}
      {place !== null && <AddHere place={place} onClose={() => setPlace(null)} />}
    </div>
  )
}

function useAriaLabels() {
  const t = usePlanTexts()
  return {
    'node.a11yDescription.default': t('graph_help'),
    'node.a11yDescription.keyboardDisabled': t('graph_help'),
    'edge.a11yDescription.default': t('edge_help'),
    'controls.ariaLabel': t('view'),
    'controls.zoomIn.ariaLabel': t('zoom_in'),
    'controls.zoomOut.ariaLabel': t('zoom_out'),
    'controls.fitView.ariaLabel': t('fit'),
  }
}

/** Selecting, moving and deleting steps and connections. */
function useChanges(
  setMoved: (change: (before: Moved) => Moved) => void,
  setEdge: (id: string | null) => void,
) {
  const { plan, schemas, mayEdit, select, setField, removeStep } = usePlanEditor()
  const cut = (id: string) => {
    const [from = '', pointer = ''] = splitEdge(id)
    const step = stepOf(plan, from)
    const exits = step === null ? [] : exitsOf(schemas[step.type], step.node)
    const exit = exits.find(({ path }) => pointerOf(path) === pointer)
    if (exit !== undefined) setField(from, exit.path, exit.isOptional ? undefined : '')
  }
  return {
    onNodesChange(changes: NodeChange[]) {
      setMoved((before) => applied(before, changes))
      for (const change of changes) {
        if (change.type === 'select' && change.selected) select(change.id)
        if (change.type === 'remove' && mayEdit) removeStep(change.id)
      }
    },
    onEdgesChange(changes: EdgeChange[]) {
      for (const change of changes) {
        if (change.type === 'select') setEdge(change.selected ? change.id : null)
        if (change.type === 'remove' && mayEdit) cut(change.id)
      }
    },
  }
}

/** Connecting an exit with a step, or with a new one where it is dropped. */
function useConnections(
  frame: RefObject<HTMLDivElement | null>,
  setPlace: (place: AddPlace) => void,
) {
  const { setField } = usePlanEditor()
  const exitPath = useExitPath()
  return {
    onConnect({ source, sourceHandle, target }: Connection) {
      setField(source, exitPath(source, sourceHandle), target)
    },
    onConnectEnd(event: MouseEvent | TouchEvent, state: FinalConnectionState) {
      const { fromNode, fromHandle, toNode } = state
      const point = 'clientX' in event ? event : event.changedTouches[0]
      const box = frame.current?.getBoundingClientRect()
      if (toNode !== null || fromNode === null || point === undefined || box === undefined) return
      const after = { id: fromNode.id, path: exitPath(fromNode.id, fromHandle?.id) }
      setPlace({ x: point.clientX - box.left, y: point.clientY - box.top, after })
    },
  }
}

/** The id of an edge is that of its step and the pointer of its exit. */
function splitEdge(id: string): [string, string] {
  const at = id.indexOf('#')
  return [id.slice(0, at), id.slice(at + 1)]
}

/** The path of an exit by the id of its dot; the last dot of a menu is that of its next free key. */
function useExitPath(): (id: string, handle: string | null | undefined) => Path {
  const { plan, schemas } = usePlanEditor()
  return (id, handle) => {
    if (handle !== NEW_KEY) return pathOf(handle ?? '')
    const step = stepOf(plan, id)
    const schema = schemas[step?.type ?? '']
    const field = keyedField(schema) ?? ''
    const [key = ''] = freeKeys(schema?.properties?.[field], step?.node[field])
    return [field, key]
  }
}

/** Remembers sizes, which React Flow measures, and places to which steps were dragged. */
function applied(before: Moved, changes: readonly NodeChange[]): Moved {
  const after = new Map(before)
  for (const change of changes) {
    if (change.type === 'dimensions' && change.dimensions !== undefined) {
      after.set(change.id, { ...after.get(change.id), measured: change.dimensions })
    }
    if (change.type === 'position' && change.position !== undefined) {
      after.set(change.id, { ...after.get(change.id), position: change.position })
    }
  }
  return after
}

function settled(before: Moved): Moved {
  return new Map([...before].map(([id, { measured }]) => [id, measured ? { measured } : {}]))
}
