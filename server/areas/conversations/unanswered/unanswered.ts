/** Questions to which the assistant had no answer: each once, with how often it was asked. */
import { Type, type Static } from 'typebox'
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { PageReply, readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import { Timestamp, Uuid } from '../../../contract/schema/shapes.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import * as store from './unanswered-store.ts'

const UnansweredQuestion = Type.Object({
  id: Uuid,
  question: markAsOutsiders(
    Type.String({
      description: 'The question as it was asked first.',
      examples: ['Do you repair electric bikes?'],
    }),
  ),
  language: Type.String({ description: 'Its language.', examples: ['en'] }),
  times: Type.Integer({ description: 'How often it was asked.', examples: [7] }),
  first_asked_at: Timestamp,
  last_asked_at: Timestamp,
  conversation_id: Type.String({
    format: 'uuid',
    description: 'The latest conversation in which it was asked.',
  }),
})

export const UnansweredPage = PageReply(UnansweredQuestion)
export const QuestionId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the question.' }),
})

export async function listUnanswered(
  caller: Caller,
  query: PageQuery,
): Promise<Static<typeof UnansweredPage>> {
  const project_id = caller.project.id
  const { data, next_cursor } = await readPage(caller, {
    list: 'unanswered',
    query,
    read: (count, after) => store.listQuestions(caller.db, { project_id, count, after }),
  })
  const questions = data.map(({ id, question, language, times, ...row }) => ({
    id,
    question,
    language,
    times,
    first_asked_at: row.first_asked_at.toISOString(),
    last_asked_at: row.last_asked_at.toISOString(),
    conversation_id: row.conversation_id,
  }))
  return { data: questions, next_cursor }
}

export async function removeUnanswered(
  { runtime, db, project }: Caller,
  id: string,
): Promise<void> {
  const is_removed = await db.transact((tx) => {
    announceRecordsAfter(tx, runtime, project.id, 'conversations')
    return store.removeQuestion(tx, { project_id: project.id, id })
  })
  if (is_removed) return
  throw unknownQuestion()
}

export function unknownQuestion(): Problem {
  return new Problem('not_found', 'This project has no unanswered question with this id.')
}
