/** Adds or changes one question with its answer. */
import { useState } from 'react'
import { Button } from '../../../ui/actions/button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input, Textarea } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import type { Fact } from '../queries.ts'
import { ANSWER_MAX, QUESTION_MAX } from './pasted.ts'
import { useFactTexts } from './texts.ts'

export interface FactDialogProps {
  /** The fact to change, or the known part of a new one. */
  fact: Fact
  isNew: boolean
  onClose(): void
  onSave(fact: Fact): void
}

export function FactDialog({ fact, isNew, onClose, onSave }: FactDialogProps) {
  const t = useFactTexts()
  const [question, setQuestion] = useState(fact.question)
  const [answer, setAnswer] = useState(fact.answer)
  const isWhole = question.trim() !== '' && answer.trim() !== ''
  return (
    <Dialog onClose={onClose} title={t(isNew ? 'add' : 'edit')} about={t('fact_about')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={submit(() => {
          if (isWhole) onSave({ question: question.trim(), answer: answer.trim() })
        })}
      >
        <Field label={t('question')}>
          <Input
            autoComplete="off"
            maxLength={QUESTION_MAX}
            placeholder={t('question_example')}
            value={question}
            onChange={({ target }) => setQuestion(target.value)}
          />
        </Field>
        <Field label={t('answer')} hint={t('answer_hint')}>
          <Textarea
            rows={4}
            maxLength={ANSWER_MAX}
            placeholder={t('answer_example')}
            value={answer}
            onChange={({ target }) => setAnswer(target.value)}
          />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" disabled={!isWhole}>
            {t(isNew ? 'add' : 'done')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
