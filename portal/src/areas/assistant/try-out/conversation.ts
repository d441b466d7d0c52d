/** The state of a conversation that tries the assistant out. */
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { askAssistant, type Reply, type Turn } from '../queries.ts'

export interface Exchange {
  /** The person's question; null before the greeting, which answers no question. */
  said: string | null
  reply: Reply | null
}

export interface TriedConversation {
  exchanges: readonly Exchange[]
  isWaiting: boolean
  start(): void
  say(text: string): void
  clear(): void
}

export function useTriedConversation(): TriedConversation {
  const scope = useProjectScope()
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const act = useAct({
    run: (asked: readonly Exchange[]) => askAssistant(scope, turnsOf(asked)),
    onDone: (reply, asked) => setExchanges([...asked.slice(0, -1), { ...last(asked), reply }]),
    onFault() {
      setExchanges((now) => now.filter((exchange) => exchange.reply !== null))
      return false
    },
  })
  const ask = (asked: readonly Exchange[]) => {
    setExchanges(asked)
    act.mutate(asked)
  }
  return {
    exchanges,
    isWaiting: act.isPending,
    start: () => ask([{ said: null, reply: null }]),
    say: (said) => ask([...exchanges, { said, reply: null }]),
    clear: () => setExchanges([]),
  }
}

function last(exchanges: readonly Exchange[]): Exchange {
  return exchanges.at(-1) ?? { said: null, reply: null }
}

function turnsOf(exchanges: readonly Exchange[]): Turn[] {
  return exchanges.flatMap(({ said, reply }) => [
    ...(said === null ? [] : [{ role: 'caller', text: said } as const]),
    ...(reply === null ? [] : [{ role: 'assistant', text: reply.text } as const]),
  ])
}
