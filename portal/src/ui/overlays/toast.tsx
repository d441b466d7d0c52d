/** Short messages after an act, in a corner, for some seconds. */
import { lazy, Suspense, useSyncExternalStore } from 'react'

export interface Message {
  tone: 'good' | 'bad'
  title: string
  about: string | null
  /** The page with larger plans, if a larger plan resolves the error. */
  plan_url: string | null
}

const Host = lazy(async () => ({ default: (await import('./toast-host.tsx')).ToastHost }))

let waiting: Message[] = []
let show: ((message: Message) => void) | null = null
let is_used = false
const listeners = new Set<() => void>()

/** Says that something was done. */
export function say(title: string): void {
  send({ tone: 'good', title, about: null, plan_url: null })
}

/** Says that something failed, and what to do. */
export function showError(
  title: string,
  about: string | null = null,
  plan_url: string | null = null,
): void {
  send({ tone: 'bad', title, about, plan_url })
}

function send(message: Message): void {
  if (show !== null) return show(message)
  waiting.push(message)
  is_used = true
  for (const listener of listeners) listener()
}

function receive(next: (message: Message) => void): () => void {
  show = next
  for (const message of waiting) next(message)
  waiting = []
  return () => {
    show = null
  }
}

export function Toasts() {
  const isUsed = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => is_used,
  )
  if (!isUsed) return null
  return (
    <Suspense fallback={null}>
      <Host receive={receive} />
    </Suspense>
  )
}
