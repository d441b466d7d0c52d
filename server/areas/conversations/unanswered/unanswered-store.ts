/** SQL of unanswered questions. */
import { sql, type Selectable } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { UnansweredQuestionsTable } from '../../../kernel/database/tables.ts'

export type QuestionRow = Selectable<UnansweredQuestionsTable>

export interface AskedQuestion {
  project_id: string
  id: string
  normalized: string
  question: string
  language: string
  conversation_id: string
  now: Date
}

const RECENT = 100

/**
 * Counts a question. A new one beyond the maximum replaces the one that was asked least often, and
 * among equals longest ago, so that a flood of new questions does not displace frequent ones. The most
 * recent ones stay, so that a new one can become frequent.
 */
export async function countQuestion(tx: Transaction, asked: AskedQuestion): Promise<void> {
  const { project_id, id, normalized, question, language, conversation_id, now } = asked
  const { rows } = await sql<{ times: number }>`
    insert into unanswered_questions as known (project_id, id, normalized, question, language,
      times, first_asked_at, last_asked_at, conversation_id)
    values (${project_id}, ${id}, ${normalized}, ${question}, ${language}, 1, ${now}, ${now},
      ${conversation_id})
    on conflict (project_id, normalized) do update set
      times = known.times + 1,
      last_asked_at = excluded.last_asked_at,
      conversation_id = excluded.conversation_id
    returning times`.execute(tx)
  if (rows[0]?.times !== 1) return
  await sql`
    delete from unanswered_questions where project_id = ${project_id} and id in (
      select id from (
        select id, times, last_asked_at from unanswered_questions where project_id = ${project_id}
        order by last_asked_at desc, id desc offset ${RECENT}
      ) as older
      order by times desc, last_asked_at desc, id desc
      offset ${limits.unanswered_questions_max - RECENT}
    )`.execute(tx)
}

export interface QuestionsPage {
  project_id: string
  count: number
  after: string | null
}

/** Lists the questions that were asked most often first; among equals, the latest first. */
export async function listQuestions(
  db: Reader,
  { project_id, count, after }: QuestionsPage,
): Promise<QuestionRow[]> {
  const { rows } = await sql<QuestionRow>`
    select * from unanswered_questions as listed
    where project_id = ${project_id} and (${after}::uuid is null or (times, last_asked_at, id) < (
      select times, last_asked_at, id from unanswered_questions
      where project_id = ${project_id} and id = ${after}::uuid))
    order by times desc, last_asked_at desc, id desc limit ${count}`.execute(db)
  return rows
}

export async function removeQuestion(
  tx: Transaction,
  { project_id, id }: { project_id: string; id: string },
): Promise<boolean> {
  const result = await tx
    .deleteFrom('unanswered_questions')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}
