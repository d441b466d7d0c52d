/**
 * The rules of conversations for visitors' pages. A visitor is not told why the chat is unavailable,
 * and reads only the conversation of their conversation token.
 */
import type { GuestCaller } from '../../../contract/operations/guests.ts'
import type { ErrorSlug } from '../../../contract/error-catalogue.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { ServerEvent } from '../../../contract/operations/event-replies.ts'
import { challengeSiteKey } from '../../../providers/challenge/challenge.ts'
import * as assistant from '../../assistant/service.ts'
import * as numbers from '../../numbers/service.ts'
import * as publicTokens from '../../public-tokens/service.ts'
import { closeIn } from '../lifecycle/close.ts'
import { presentPublic, presentPublicMessage } from '../present.ts'
import type { CloseInput, MessageInput } from '../schema.ts'
import type { Static } from 'typebox'
import { startIn } from '../lifecycle/start.ts'
import * as store from '../store.ts'
import { answerTurn } from '../turns/answer.ts'
import { streamTurn } from '../turns/turn-events.ts'
import { beginTurn, type BegunTurn } from '../turns/turn.ts'
import { writeConversationToken } from './conversation-token.ts'
import type {
  ChatConfig,
  GuestExchange,
  GuestMessages,
  GuestStart,
  GuestStarted,
  PublicConversation,
} from './guest-schema.ts'
import { deletedConversation, lockConversation, requireConversation } from './own-conversation.ts'
import { requireHuman } from './verify.ts'

const MESSAGES_MAX = 100

/** `language` is that of the page; without it the greeting is in the language of the theme. */
export async function showConfig(
  guest: GuestCaller,
  language: string | undefined,
): Promise<ChatConfig> {
  const { runtime, db, project } = guest
  const token = await publicTokens.findToken(db, project.id, guest.token_id)
  const { theme, challenge } = token
  const profile = await assistant.readChatProfile(db, project.id, {
    greeting: theme.greeting,
    language: language ?? theme.language,
  })
  const phone = token.test ? null : await numbers.findReachable(db, project.id)
  return {
    available: profile.configured && !publicTokens.isSwitchedOff(token),
    name: profile.name,
    greeting: profile.greeting,
    language: profile.language,
    languages: profile.languages,
    theme,
    challenge: { kind: challenge, site_key: challengeSiteKey(runtime.config, challenge) },
    phone,
    sms: phone,
    suggestions: profile.suggestions,
    max_turns: limits.conversation_turns_max,
  }
}

export async function start(guest: GuestCaller, input: GuestStart): Promise<GuestStarted> {
  const { runtime, db, project, token_id } = guest
  const { challenge, language, page_url } = input
  const token = await publicTokens.findToken(db, project.id, token_id)
  await publicTokens.requireConversationLeft(db, runtime, token)
  await requireHuman(guest, token.challenge, challenge)
  return hidingReasons(async () => {
    const { conversation, greeting } = await db.transact(async (tx) => {
      await publicTokens.countConversation(tx, runtime, { project_id: project.id, token_id })
      return startIn(tx, runtime, {
        project_id: project.id,
        channel: 'widget',
        language: language ?? token.theme.language,
        greeting: token.theme.greeting,
        chat_token_id: token_id,
        site_id: token.site_id,
        page_url,
        test: token.test,
      })
    })
    const subject = { project_id: project.id, token_id, conversation_id: conversation.id }
    return {
      conversation: presentPublic(conversation, runtime.clock.now()),
      messages: [presentPublicMessage(greeting)],
      ...writeConversationToken(runtime, subject),
    }
  })
}

export async function send(
  guest: GuestCaller,
  id: string,
  input: Static<typeof MessageInput>,
): Promise<GuestExchange> {
  const begun = await begin(guest, id, input)
  const { runtime } = guest
  const { message, reply, conversation } =
    begun.kind === 'done' ? begun.exchange : await answerTurn(runtime, begun.turn)
  return {
    message: presentPublicMessage(message),
    reply: reply && presentPublicMessage(reply),
    conversation: presentPublic(conversation, runtime.clock.now()),
  }
}

export async function sendStreamed(
  guest: GuestCaller,
  id: string,
  input: Static<typeof MessageInput>,
): Promise<AsyncIterable<ServerEvent>> {
  const { runtime } = guest
  return streamTurn(runtime, await begin(guest, id, input), {
    message: presentPublicMessage,
    conversation: (row) => presentPublic(row, runtime.clock.now()),
  })
}

function begin(
  guest: GuestCaller,
  id: string,
  input: Static<typeof MessageInput>,
): Promise<BegunTurn> {
  const { runtime, project } = guest
  requireConversation(guest, id)
  return hidingReasons(() => beginTurn(runtime, { project_id: project.id, id, ...input }))
}

/** Lists the messages after a message, for pages that wait for a person or have lost events. */
export async function listMessages(
  guest: GuestCaller,
  id: string,
  after: string | undefined,
): Promise<GuestMessages> {
  const { runtime, db, project } = guest
  requireConversation(guest, id)
  const row = await store.find(db, { project_id: project.id, id })
  if (!row) throw deletedConversation()
  const messages = await store.listMessagesSince(db, {
    project_id: project.id,
    conversation_id: id,
    count: MESSAGES_MAX,
    since: after ?? null,
  })
  return {
    data: messages.map(presentPublicMessage),
    conversation: presentPublic(row, runtime.clock.now()),
  }
}

export async function close(
  guest: GuestCaller,
  id: string,
  { resolved }: Static<typeof CloseInput>,
): Promise<PublicConversation> {
  const { runtime, db } = guest
  requireConversation(guest, id)
  const row = await db.transact(async (tx) => {
    const locked = await lockConversation(tx, guest, id)
    if (locked.status === 'closed') return locked
    return closeIn(tx, runtime, { row: locked, reason: 'visitor', resolved })
  })
  return presentPublic(row, runtime.clock.now())
}

/** Problems whose reason is not for visitors. */
const hidden: readonly ErrorSlug[] = [
  'assistant_not_configured',
  'billing_blocked',
  'conversation_limit_reached',
  'insufficient_balance',
  'not_found',
  'test_free_replies_used',
]

async function hidingReasons<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || !hidden.includes(error.slug)) throw error
    const detail = 'The chat is not available at the moment.'
    throw new Problem('chat_unavailable', detail, { cause: error })
  }
}
