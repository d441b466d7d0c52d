/**
 * Questions that the assistant could not answer, most frequent first, each with a form to answer
 * it.
 */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheckBig, MessageCircleQuestion, PenLine, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button, ButtonAnchor, ButtonLink } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { AnswerForm } from './answer-form.tsx'
import { questionsQuery, type Question } from './queries.ts'
import { useUnansweredTexts } from './texts.ts'
import { useDismissals, type Dismissals } from './use-dismissals.ts'

export function Page() {
  const t = useUnansweredTexts()
  const scope = useProjectScope()
  const query = useInfiniteQuery(questionsQuery(scope))
  return (
    <>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={<ButtonAnchor href="/docs/guides/answers">{t('quality')}</ButtonAnchor>}
      />
      <Card flush>
        <QueryState query={query}>
          {({ pages }) => (
            <Questions
              questions={pages.flatMap(({ data }) => data)}
              more={query.hasNextPage ? () => void query.fetchNextPage() : null}
              isReadingMore={query.isFetchingNextPage}
            />
          )}
        </QueryState>
      </Card>
    </>
  )
}

interface QuestionsProps {
  questions: readonly Question[]
  more: (() => void) | null
  isReadingMore: boolean
}

function Questions({ questions, more, isReadingMore }: QuestionsProps) {
  const t = useUnansweredTexts()
  const { link, may } = useProjectScope()
  const [answered, setAnswered] = useState<string | null>(null)
  const dismissals = useDismissals()
  if (questions.length === 0) {
    return (
      <EmptyState
        icon={<CircleCheckBig aria-hidden="true" />}
        title={t('empty')}
        about={t('empty_about')}
        sentence={t('sentence')}
        action={<ButtonLink to={link('/conversations')}>{t('to_inbox')}</ButtonLink>}
      />
    )
  }
  return (
    <>
      {!may('member') && <p className="px-5 pb-3 text-sm text-muted">{t('read_only')}</p>}
      <ul aria-label={t('list')} className="divide-y divide-line">
        {questions.map((question) => (
          <li key={question.id} className="px-5 py-4">
            <QuestionRow
              question={question}
              isAnswered={question.id === answered}
              onAnswer={setAnswered}
              dismissals={dismissals}
            />
          </li>
        ))}
      </ul>
      {more !== null && (
        <p className="border-t border-line p-3 text-center">
          <Button size="sm" kind="ghost" busy={isReadingMore} onClick={more}>
            {t('more')}
          </Button>
        </p>
      )}
    </>
  )
}

interface QuestionRowProps {
  question: Question
  /** Whether the form for its answer is open. */
  isAnswered: boolean
  onAnswer(id: string | null): void
  dismissals: Dismissals
}

function QuestionRow({ question, isAnswered, onAnswer, dismissals }: QuestionRowProps) {
  const t = useUnansweredTexts()
  const { may } = useProjectScope()
  const { id, question: text } = question
  if (dismissals.isDismissed(id)) {
    return (
      <p role="status" className="flex flex-wrap items-center gap-3 text-muted">
        <span className="min-w-0 flex-1 truncate">{t('dismissed', { question: text })}</span>
        <Button size="sm" onClick={() => dismissals.undo(id)}>
          <Undo2 aria-hidden="true" />
          {t('undo')}
        </Button>
      </p>
    )
  }
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <MessageCircleQuestion
          className="mt-0.5 size-5 shrink-0 text-accent max-sm:hidden"
          aria-hidden="true"
        />
        <div className="min-w-60 flex-1">
          <p className="font-medium wrap-anywhere">{text}</p>
          <Asked question={question} />
        </div>
        {may('member') && !isAnswered && (
          <div className="flex gap-2">
            <Button
              size="sm"
              kind="primary"
              aria-label={t('answer_question', { question: text })}
              onClick={() => onAnswer(id)}
            >
              <PenLine aria-hidden="true" />
              {t('answer')}
            </Button>
            <Button
              size="sm"
              aria-label={t('dismiss_question', { question: text })}
              onClick={() => dismissals.dismiss(id)}
            >
              <X aria-hidden="true" />
              {t('dismiss')}
            </Button>
          </div>
        )}
      </div>
      {isAnswered && <AnswerForm question={question} onClose={() => onAnswer(null)} />}
    </>
  )
}

const OFTEN = 5

function Asked({ question }: { question: Question }) {
  const t = useUnansweredTexts()
  const { link } = useProjectScope()
  const { times, last_asked_at, conversation_id } = question
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <Badge tone={times >= OFTEN ? 'warn' : 'neutral'}>{t('asked', { count: times })}</Badge>
      <span>
        {t('last_asked')} <Moment at={last_asked_at} />
      </span>
      <span aria-hidden="true">·</span>
      <Link to={link('/conversations')} hash={conversation_id} className="text-accent underline">
        {t('conversation')}
      </Link>
    </p>
  )
}
