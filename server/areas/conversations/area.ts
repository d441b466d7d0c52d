/** Text chat: conversations with the assistant and with people, and the chat widget. */
import { defineArea } from '../../contract/area.ts'
import * as events from './events.ts'
import * as guestOperations from './operations/guests.ts'
import { closeIdleConversations } from './jobs.ts'
import { keepMessage } from './keep-message.ts'
import * as operations from './operations/conversations.ts'
import * as questionOperations from './operations/questions.ts'
import { summariseConversation } from './lifecycle/summarise.ts'
import * as conversationsOfPerson from './person/person-store.ts'
import * as questionsOfPerson from './person/question-store.ts'
import { retentions } from './retention-store.ts'

export const conversations = defineArea({
  name: 'conversations',
  operations: [operations, questionOperations, guestOperations],
  events: [events],
  jobs: [summariseConversation, keepMessage],
  reconcilers: [closeIdleConversations],
  retentions,
  personalRecords: [conversationsOfPerson.personalRecords, questionsOfPerson.personalRecords],
  exported: [
    { table: 'conversations' },
    { table: 'conversation_messages' },
    { table: 'unanswered_questions' },
  ],
  guides: [
    {
      page: 'chat',
      group: 'Chat',
      title: 'Text chat',
      card: { title: 'Chat', text: 'Conversations, and replies of people.' },
    },
    {
      page: 'chat-widget',
      group: 'Chat',
      title: 'Chat on a website',
      card: { title: 'Chat widget', text: 'A chat on any page with one script tag.' },
    },
  ],
})
