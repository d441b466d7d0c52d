/** A test search: the passages that the assistant finds for a question. */
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { searchKnowledge, type Found } from './queries.ts'
import { useKnowledgeTexts } from './texts.ts'

const QUESTION_MAX = 500

const kinds = {
  fact: 'fact',
  instruction: 'instruction',
  website: 'of_source',
  document: 'of_source',
} as const

export function TryQuestion() {
  const t = useKnowledgeTexts()
  const scope = useProjectScope()
  const [question, setQuestion] = useState('')
  const act = useAct({ run: () => searchKnowledge(scope, question) })
  return (
    <form
      noValidate
      onSubmit={submit(() => {
        if (question.trim() !== '') act.mutate(undefined)
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
      <div className="mt-3">
        <Button type="submit" busy={act.isPending} disabled={question.trim() === ''}>
          {t('find')}
        </Button>
      </div>
      <div aria-live="polite">{act.data !== undefined && <FoundList found={act.data} />}</div>
    </form>
  )
}

function FoundList({ found }: { found: readonly Found[] }) {
  const t = useKnowledgeTexts()
  if (found.length === 0) return <p className="mt-4 text-sm text-muted">{t('found_none')}</p>
  return (
    <ol className="mt-4 flex flex-col gap-3">
      {found.map(({ kind, title, text, url, score, answers }) => (
        <li key={`${kind} ${title} ${text}`} className="rounded-lg border border-line bg-bg p-3">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
            {answers ? <Badge tone="good">{t('answers')}</Badge> : <Badge>{t('similar')}</Badge>}
            <span className="text-muted tabular-nums">
              {t(kinds[kind])} · {t('score', { percent: Math.round(score * 100) })}
            </span>
          </p>
          <PassageText passage={{ title, text, url }} />
        </li>
      ))}
    </ol>
  )
}

export interface PassageTextProps {
  passage: { title: string; text: string; url: string | null }
}

export function PassageText({ passage: { title, text, url } }: PassageTextProps) {
  return (
    <>
      {title !== '' && <p className="mt-1.5 font-medium wrap-anywhere">{title}</p>}
      <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line">{text}</p>
      {url !== null && <p className="mt-1 truncate font-mono text-xs text-muted">{url}</p>}
    </>
  )
}
