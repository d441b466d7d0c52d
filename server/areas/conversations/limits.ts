/** Limits of conversations. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  conversation_turns_max: {
    value: 30,
    unit: 'turns',
    about: 'Turns of one chat conversation (max_turns)',
    applies_to: 'chat',
  },
  conversation_token_lifetime_s: {
    value: 6 * HOUR_S,
    unit: 'seconds',
    about: 'How long a conversation token is valid',
    applies_to: 'chat',
  },
  live_conversations_per_day_max: {
    value: 1000,
    unit: 'conversations',
    about: 'Conversations per day of a live project during the beta',
    applies_to: 'chat',
  },
  test_conversations_per_day_max: {
    value: 25,
    unit: 'conversations',
    about: 'Conversations per day of a test project',
    applies_to: 'chat',
  },
  conversation_idle_s: {
    value: 1_800,
    unit: 'seconds',
    about: 'A conversation with the assistant is closed after so long without a message',
    applies_to: 'chat',
  },
  conversation_handed_off_idle_s: {
    value: 24 * HOUR_S,
    unit: 'seconds',
    about: 'A conversation that a person took over is closed after so long without a message',
    applies_to: 'chat',
  },
  conversation_lease_s: {
    value: 60,
    unit: 'seconds',
    about: 'Longest time for one answer; afterwards the next message is accepted',
    applies_to: 'chat',
  },
  chat_message_characters_max: {
    value: 4_000,
    unit: 'characters',
    about: 'Length of one chat message',
    applies_to: 'chat',
  },
  conversation_metadata_max: {
    value: 20,
    unit: 'entries',
    about: 'Entries in the metadata of a conversation',
    applies_to: 'POST /conversations',
  },
  conversation_messages_max: {
    value: 500,
    unit: 'messages',
    about: 'Messages of one conversation, those of people included',
    applies_to: 'chat',
  },
  conversation_characters_max: {
    value: 200_000,
    unit: 'characters',
    about: 'Text of one conversation in which people write',
    applies_to: 'chat',
  },
  conversation_waiting_messages_max: {
    value: 20,
    unit: 'messages',
    about: 'Messages of a visitor who waits for a person, until a person replies',
    applies_to: 'chat',
  },
  conversation_messages_left_max: {
    value: 10,
    unit: 'messages',
    about: 'Messages in messages_left, the newest; all are in the conversation',
    applies_to: 'GET /conversations',
  },
  conversation_search_characters_max: {
    value: 200,
    unit: 'characters',
    about: 'Length of the words to search for in conversations (q)',
    applies_to: 'GET /conversations',
  },
  conversation_search_max: {
    value: 300,
    unit: 'conversations',
    about: 'The newest conversations that a search with q covers',
    applies_to: 'GET /conversations',
  },
  conversation_search_messages_max: {
    value: 200,
    unit: 'messages',
    about: 'The newest messages of a conversation that a search with q covers',
    applies_to: 'GET /conversations',
  },
  conversation_search_text_characters_max: {
    value: 50_000,
    unit: 'characters',
    about: 'The newest text of a conversation that a search with q covers',
    applies_to: 'GET /conversations',
  },
  conversation_search_s_max: {
    value: 3,
    unit: 'seconds',
    about: 'Time for a search with q',
    applies_to: 'GET /conversations',
  },
  unanswered_questions_max: {
    value: 500,
    unit: 'questions',
    about: 'Unanswered questions of a project; the one that was asked longest ago makes room',
    applies_to: 'GET /assistant/unanswered',
  },
  chat_challenge_lifetime_s: {
    value: 300,
    unit: 'seconds',
    about: 'How long the challenge of a chat is valid; it can be used once',
    applies_to: 'GET /public/chat/challenge',
  },
  chat_challenge_steps_max: {
    value: 20_000,
    unit: 'hashes',
    about: 'Maximum number of hashes to solve the challenge of a chat; the average is half',
    applies_to: 'GET /public/chat/challenge',
  },
  chat_verifications_per_project_max: {
    value: 4,
    unit: 'checks',
    about: 'Human verifications of one project that a provider checks at once; further ones wait',
    applies_to: 'POST /public/conversations',
  },
} as const satisfies Record<string, LimitEntry>
