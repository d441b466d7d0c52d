/** Finds and erases unanswered questions that one person asked, or that contain the number or address. */
import { sql } from 'kysely'
import { createMatcher } from '../../../contract/person/match.ts'
import type { PersonalRecords, PersonRecord } from '../../../contract/person/person.ts'
import type { Reader } from '../../../kernel/database/database.ts'

export const personalRecords: PersonalRecords = {
  kinds: ['unanswered_questions'],
  scopes: { read: 'chat:read', write: 'chat:write' },
  async *find(db, { project_id, person, related }) {
    const matcher = createMatcher(person)
    const questions = await listQuestions(db, project_id)
    const found = questions.flatMap((row): PersonRecord[] => {
      const { id, question, first_asked_at, times, conversation_id } = row
      // What several people asked in the same words is about nobody.
      const is_theirs = times === 1 && related.has(conversation_id)
      if (!is_theirs && matcher.matchValue(question) === null) return []
      const data = { question, times }
      return [{ id, path: [], match: 'own', created_at: first_asked_at, collection: null, data }]
    })
    if (found.length > 0) yield found
  },
  async erase(tx, { project }, records) {
    const ids = records.map(({ id }) => id)
    const { numDeletedRows } = await tx
      .deleteFrom('unanswered_questions')
      .where('project_id', '=', project.id)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .executeTakeFirst()
    return Number(numDeletedRows)
  },
}

/** A project has at most `unanswered_questions_max`. */
function listQuestions(db: Reader, project_id: string) {
  return db
    .selectFrom('unanswered_questions')
    .selectAll()
    .where('project_id', '=', project_id)
    .execute()
}
