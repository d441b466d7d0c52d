/**
 * Replies that are being sent or were not sent, and texts that are being written, for each conversation.
 * They outlive the selection of another conversation. A reply keeps its id, so sending it again never
 * stores it twice.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { conversationKey, conversationsKey, sendReply, type WholeConversation } from '../queries.ts'

export interface PendingReply {
  client_message_id: string
  conversation_id: string
  text: string
  /** null while it is being sent; empty if the server was not reached. */
  fault: string | null
}

export interface Replies {
  pendingOf(conversation_id: string): readonly PendingReply[]
  send(conversation_id: string, text: string): void
  resend(reply: PendingReply): void
  discard(reply: PendingReply): void
  draftOf(conversation_id: string): string
  keepDraft(conversation_id: string, text: string): void
}

export function useReplies(): Replies {
  const scope = useProjectScope()
  const client = useQueryClient()
  const [pending, setPending] = useState<readonly PendingReply[]>([])
  const drafts = useRef(new Map<string, string>())
  const isOther = (id: string) => (one: PendingReply) => one.client_message_id !== id
  const deliver = async (reply: PendingReply) => {
    const { client_message_id, conversation_id, text } = reply
    setPending((all) => [...all.filter(isOther(client_message_id)), { ...reply, fault: null }])
    try {
      const sent = await sendReply(scope, conversation_id, { text, client_message_id })
      client.setQueryData<WholeConversation>(conversationKey(scope, conversation_id), (known) =>
        withReply(known, sent),
      )
      setPending((all) => all.filter(isOther(client_message_id)))
      await client.invalidateQueries({ queryKey: conversationsKey(scope) })
    } catch (error) {
      const fault = error instanceof ApiProblem ? error.user_message : ''
      setPending((all) =>
        all.map((one) => (one.client_message_id === client_message_id ? { ...one, fault } : one)),
      )
    }
  }
  return {
    pendingOf: (id) => pending.filter(({ conversation_id }) => conversation_id === id),
    send(conversation_id, text) {
      const client_message_id = crypto.randomUUID()
      void deliver({ client_message_id, conversation_id, text, fault: null })
    },
    resend: (reply) => void deliver(reply),
    discard: ({ client_message_id }) => setPending((all) => all.filter(isOther(client_message_id))),
    draftOf: (id) => drafts.current.get(id) ?? '',
    keepDraft: (id, text) => void drafts.current.set(id, text),
  }
}

function withReply(
  known: WholeConversation | undefined,
  { message, conversation }: Awaited<ReturnType<typeof sendReply>>,
): WholeConversation | undefined {
  if (known === undefined) return undefined
  const others = known.messages.filter(({ id }) => id !== message.id)
  return { conversation, messages: [...others, message] }
}
