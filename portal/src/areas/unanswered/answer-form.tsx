/** Answers a question in its row: the answer becomes a fact of the assistant. */
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input, Textarea } from '../../ui/forms/input.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { assistantKey } from '../assistant/queries.ts'
import { addFact, questionsKey, type Question } from './queries.ts'
import { useUnansweredTexts } from './texts.ts'

const QUESTION_MAX = 500
const ANSWER_MAX = 2_000

export interface AnswerFormProps {
  question: Question
  onClose(): void
}

export function AnswerForm({ question: { id, question: asked }, onClose }: AnswerFormProps) {
  const t = useUnansweredTexts()
  const scope = useProjectScope()
  const [question, setQuestion] = useState(asked)
  const [answer, setAnswer] = useState('')
  const isWhole = question.trim() !== '' && answer.trim() !== ''
  const act = useAct({
    run: () => addFact(scope, { question, answer, unanswered_question_id: id }),
    done: t('saved'),
    refresh: [questionsKey(scope), assistantKey(scope)],
    onDone: onClose,
  })
  return (
    <form
      noValidate
      className="mt-4 flex flex-col gap-4 border-l-2 border-accent pl-4"
      onSubmit={submit(() => {
        if (isWhole) act.mutate(undefined)
      })}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey))
          event.currentTarget.requestSubmit()
      }}
    >
      <Field label={t('question')} hint={t('question_hint')}>
        <Input
          autoComplete="off"
          maxLength={QUESTION_MAX}
          value={question}
          onChange={({ target }) => setQuestion(target.value)}
        />
      </Field>
      <Field label={t('your_answer')} hint={t('answer_hint')}>
        <Textarea
          autoFocus
          rows={3}
          maxLength={ANSWER_MAX}
          placeholder={t('answer_example')}
          value={answer}
          onChange={({ target }) => setAnswer(target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" busy={act.isPending} disabled={!isWhole}>
          {t('save')}
        </Button>
        <Button onClick={onClose}>{t('cancel')}</Button>
      </div>
    </form>
  )
}
