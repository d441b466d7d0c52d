/** The state of a conversation with the portal assistant. */
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import {
  useEffect,
  useRef,
  useState,
  type Dispatch,
  type RefObject,
  type SetStateAction,
} from 'react'
import type { Scope } from '../../api/client.ts'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useLanguage } from '../../language/texts.ts'
import {
  askStreamed,
  conversationsKey,
  readConversation,
  type Listener,
  type Message,
  type Proposal,
  type Transcript,
} from './queries.ts'

/** The answer while it arrives. */
export interface Arriving {
  text: string
  tool: string | null
}

export interface Conversation {
  /** null before the first question. */
  id: string | null
  messages: readonly Message[]
  /** Operations of submitted forms. */
  submitted: readonly Proposal[]
  arriving: Arriving | null
  /** The question that was refused, with the reason. */
  refused: { text: string; problem: Error } | null
  /** The path of the page below the project. */
  page: string
  ask(text: string): void
  stop(): void
  open(id: string): Promise<void>
  clear(): void
  onProposal(changed: Proposal): void
}

interface State {
  id: string | null
  messages: readonly Message[]
  submitted: readonly Proposal[]
}

const nothing: State = { id: null, messages: [], submitted: [] }

export function useConversation(): Conversation {
  const scope = useProjectScope()
  const page = usePagePath()
  const [state, setState] = useState<State>(nothing)
  const [arriving, setArriving] = useState<Arriving | null>(null)
  const [refused, setRefused] = useState<Conversation['refused']>(null)
  const ending = useRef<AbortController | null>(null)
  const { project_id, mode } = scope
  useEffect(() => {
    setState(nothing)
    setRefused(null)
    return () => ending.current?.abort()
  }, [project_id, mode])
  const ask = useAsking({ state, page, ending, setState, setArriving, setRefused })
  const clear = () => {
    ending.current?.abort()
    setState(nothing)
    setRefused(null)
  }
  return {
    ...state,
    arriving,
    refused,
    page,
    ask: (text) => void ask(text),
    stop: () => ending.current?.abort(),
    async open(id) {
      setRefused(null)
      setState(stateOf(await readConversation(scope, id)))
    },
    clear,
    onProposal: (changed) => setState((now) => withProposal(now, changed)),
  }
}

function stateOf({ id, messages, proposals }: Transcript): State {
  return { id, messages, submitted: proposals }
}

interface Asking {
  state: State
  page: string
  ending: RefObject<AbortController | null>
  setState: Dispatch<SetStateAction<State>>
  setArriving: Dispatch<SetStateAction<Arriving | null>>
  setRefused: Dispatch<SetStateAction<Conversation['refused']>>
}

/** Returns the function that asks a question and shows its answer while it arrives. */
function useAsking(asking: Asking): (text: string) => Promise<void> {
  const { state, page, ending, setState, setArriving, setRefused } = asking
  const scope = useProjectScope()
  const client = useQueryClient()
  const language = useLanguage()
  return async (text) => {
    const stopping = new AbortController()
    ending.current = stopping
    setRefused(null)
    setArriving({ text: '', tool: null })
    let id = state.id
    const listener: Listener = {
      onStart({ conversation, question }) {
        id = conversation.id
        const started = conversation.id
        setState((now) => ({ ...now, id: started, messages: [...now.messages, question] }))
      },
      onText: (at, piece) =>
        setArriving((now) => ({ tool: null, text: (now?.text ?? '').slice(0, at) + piece })),
      onTool: (tool) => setArriving((now) => ({ text: now?.text ?? '', tool })),
    }
    try {
      const question = { text, page, language, ...(id !== null && { conversation_id: id }) }
      const done = await askStreamed(scope, question, { ...listener, signal: stopping.signal })
      if (done) setState((now) => ({ ...now, messages: [...now.messages, done.answer] }))
      else if (id !== null) setState(stateOf(await readConversation(scope, id)))
    } catch (error) {
      const stored = stopping.signal.aborted && id !== null ? await readStopped(scope, id) : null
      if (stored) setState(stateOf(stored))
      else if (!stopping.signal.aborted)
        setRefused({ text, problem: error instanceof Error ? error : new Error(String(error)) })
    } finally {
      setArriving(null)
      void client.invalidateQueries({ queryKey: conversationsKey(scope) })
    }
  }
}

/** The server stores the partial answer after it has noticed the disconnection. */
async function readStopped(scope: Scope, id: string): Promise<Transcript | null> {
  for (let left = STOPPED_TRIES; left > 0; left -= 1) {
    const read = await readConversation(scope, id).catch(() => null)
    if (read && !read.answering) return read
    await new Promise((done) => setTimeout(done, STOPPED_MS))
  }
  return null
}

const STOPPED_TRIES = 10
const STOPPED_MS = 300

function usePagePath(): string {
  const { link } = useProjectScope()
  const { pathname } = useLocation()
  return pathname.slice(link('').length) || '/'
}

/** Replaces a proposal where it is shown, or adds that of a form. */
function withProposal(state: State, changed: Proposal): State {
  const replace = (list: readonly Proposal[]) =>
    list.map((one) => (one.id === changed.id ? changed : one))
  const isKnown = [...state.submitted, ...state.messages.flatMap((one) => one.proposals)].some(
    ({ id }) => id === changed.id,
  )
  return {
    ...state,
    messages: state.messages.map((one) => ({ ...one, proposals: replace(one.proposals) })),
    submitted: isKnown ? replace(state.submitted) : [...state.submitted, changed],
  }
}
