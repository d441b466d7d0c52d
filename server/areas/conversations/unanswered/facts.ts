/** Adds a fact to the assistant, which may answer an unanswered question. */
import { Type, type Static } from 'typebox'
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { withDescription } from '../../../contract/schema/shapes.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import { Fact, FACTS_MAX } from '../../assistant/schema.ts'
import * as assistant from '../../assistant/service.ts'
import { unknownQuestion } from './unanswered.ts'
import * as store from './unanswered-store.ts'

const { question, answer } = Fact.properties
const isNotBlank = { pattern: String.raw`\S` }

export const FactInput = Type.Object(
  {
    question: { ...question, ...isNotBlank },
    answer: { ...answer, ...isNotBlank },
    unanswered_question_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Id of the unanswered question that this answers.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ question: 'Can I park at your shop?', answer: 'Yes, behind the shop, for free.' }],
  },
)
export type FactInput = Static<typeof FactInput>

export const AddedFact = Type.Object({
  fact: withDescription(Fact, 'The fact as it is stored.'),
  replaced: Type.Boolean({
    description: 'Whether there was a fact with this question, whose answer is replaced.',
    examples: [false],
  }),
  facts: Type.Integer({ description: 'Number of facts of the assistant now.', examples: [12] }),
  facts_max: Type.Integer({ description: 'Most facts of an assistant.', examples: [FACTS_MAX] }),
  version: Type.Integer({
    description: 'Version of the settings of the assistant.',
    examples: [4],
  }),
})
export type AddedFact = Static<typeof AddedFact>

export async function addFact(
  { runtime, db, project }: Caller,
  { unanswered_question_id, ...input }: FactInput,
): Promise<AddedFact> {
  const fact = { question: input.question.trim(), answer: input.answer.trim() }
  return db.transact(async (tx) => {
    const added = await assistant.addFact(tx, runtime, { project, fact })
    if (added === null) throw fullOfFacts()
    if (unanswered_question_id !== undefined) {
      const key = { project_id: project.id, id: unanswered_question_id }
      if (!(await store.removeQuestion(tx, key))) throw unknownQuestion()
      announceRecordsAfter(tx, runtime, project.id, 'conversations')
    }
    announceRecordsAfter(tx, runtime, project.id, 'assistant')
    return { fact, facts_max: FACTS_MAX, ...added }
  })
}

function fullOfFacts(): Problem {
  const detail = `The assistant has ${FACTS_MAX} facts, which is the maximum.`
  return new Problem('conflict', detail, {
    user_message: 'The assistant already has as many facts as it may have.',
    next_step:
      'Read the facts with GET /assistant, ask the user which of them can be joined or removed, ' +
      'save the shorter list with PUT /assistant, and add the fact again.',
  })
}
