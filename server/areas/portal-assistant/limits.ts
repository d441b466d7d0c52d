/** Limits of the portal assistant. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  portal_message_characters_max: {
    value: 4_000,
    unit: 'characters',
    about: 'Length of a message to the portal assistant',
    applies_to: 'the portal assistant',
  },
  portal_messages_max: {
    value: 200,
    unit: 'messages',
    about: 'Messages of a conversation with the portal assistant, its answers included',
    applies_to: 'the portal assistant',
  },
  portal_conversations_max: {
    value: 100,
    unit: 'conversations',
    about:
      'Conversations with the portal assistant of a person in a project and mode; a new one deletes ' +
      'the oldest',
    applies_to: 'the portal assistant',
  },
  portal_conversations_kept_s: {
    value: 90 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long a conversation with the portal assistant is kept after its last message',
    applies_to: 'the portal assistant',
  },
  portal_questions_max: {
    value: 30,
    unit: 'messages',
    about:
      'Messages to the portal assistant of a person in `portal_questions_window_s`, per process',
    applies_to: 'the portal assistant',
  },
  portal_questions_window_s: {
    value: 300,
    unit: 'seconds',
    about: 'Window of `portal_questions_max`',
    applies_to: 'the portal assistant',
  },
  portal_answers_running_max: {
    value: 5,
    unit: 'answers',
    about: 'Answers of the portal assistant under way in a project at once, per process',
    applies_to: 'the portal assistant',
  },
  portal_answer_s: {
    value: 180,
    unit: 'seconds',
    about: 'Longest time that an answer of the portal assistant takes',
    applies_to: 'the portal assistant',
  },
  portal_answer_requests_max: {
    value: 8,
    unit: 'requests',
    about: 'Requests to the language model for one answer of the portal assistant',
    applies_to: 'the portal assistant',
  },
  portal_proposals_per_answer_max: {
    value: 5,
    unit: 'proposals',
    about: 'Operations that one answer of the portal assistant proposes',
    applies_to: 'the portal assistant',
  },
  portal_proposals_max: {
    value: 100,
    unit: 'proposals',
    about: 'Proposals of a conversation with the portal assistant, submitted forms included',
    applies_to: 'the portal assistant',
  },
  portal_proposal_s: {
    value: HOUR_S / 2,
    unit: 'seconds',
    about: 'How long a proposal of the portal assistant can be run',
    applies_to: 'the portal assistant',
  },
} as const satisfies Record<string, LimitEntry>
