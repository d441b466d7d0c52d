/** Errors of conversations. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'
import { limits } from '../../contract/limits.ts'

export const errors = {
  conversation_closed: {
    status: 409,
    about: 'The conversation is closed and takes no more messages.',
    user: 'This chat has ended, so please start a new one.',
    next: 'Start a new conversation and send the message there.',
  },
  conversation_busy: {
    status: 409,
    about:
      'The assistant is still answering an earlier message of this conversation, or the ' +
      'conversation was closed at that very moment.',
    user: 'The assistant is still answering, so please wait a moment.',
    next:
      'Wait for the answer, then send the message again, once. If the conversation turns ' +
      'out to be closed, start a new one.',
  },
  conversation_turn_limit_reached: {
    status: 409,
    about:
      `The conversation has reached max_turns, which is ${limits.conversation_turns_max}, or with ` +
      `messages of people ${limits.conversation_messages_max} messages or ` +
      `${limits.conversation_characters_max} characters.`,
    user: 'This chat has become very long, so please start a new one.',
    next: 'Start a new conversation and begin it with a short summary of what matters.',
  },
  conversation_awaits_person: {
    status: 409,
    about:
      `The visitor wrote ${limits.conversation_waiting_messages_max} messages while waiting for a ` +
      'person, and none has replied yet. All of them are stored.',
    user: 'Your messages have arrived, and a person will reply to them.',
    next:
      'Do not send the message again yet: wait until GET /conversations/{id} has a reply of a ' +
      'person, or waiting_since is null.',
  },
  conversation_limit_reached: {
    status: 429,
    about:
      'The project has started its daily maximum of conversations: ' +
      `${limits.live_conversations_per_day_max} in live mode during the beta, ` +
      `${limits.test_conversations_per_day_max} in test mode.`,
    user: 'No more new chats can be started today.',
    next: 'Continue in a conversation that is still open, or start new ones tomorrow.',
  },
  invalid_conversation_token: {
    status: 401,
    about:
      'The X-Conversation-Token header is missing, wrong, or older than ' +
      `${limits.conversation_token_lifetime_s / 3600} hours.`,
    user: 'This chat is no longer open, so please start a new one.',
    next: {
      rest:
        'Start a new conversation in the widget and send the token it returns in the ' +
        'X-Conversation-Token header with every message.',
      mcp:
        'Only the widget on a page can go on with this conversation. Let the visitor start a ' +
        'new one there.',
    },
  },
  public_chat_limit_reached: {
    status: 429,
    about:
      'The widget has reached a daily limit of its public token. One is new conversations ' +
      `(${limits.chat_token_conversations_per_day_default} unless set, up to ` +
      `${limits.chat_token_conversations_per_day_max}), the other spending in euro ` +
      `(${limits.chat_token_spending_per_day_eur_default} unless set, up to ` +
      `${limits.chat_token_spending_per_day_eur_max}; 0 switches the live widget off).`,
    user: 'This chat cannot take new messages at the moment, so please try again later.',
    next:
      'Show the visitor another way to get in touch. The owner can have the daily limits of the ' +
      'token raised.',
  },
  chat_unavailable: {
    status: 503,
    about:
      'The widget cannot chat now. The visitor is not told why; the owner can see it in the ' +
      'portal.',
    user: 'The chat is not available right now, so please try again later.',
    next:
      'Show the visitor another way to get in touch and try again later. The owner can ' +
      'check in GET /status whether the service has a known problem.',
  },
} as const satisfies Record<string, ErrorEntry>
