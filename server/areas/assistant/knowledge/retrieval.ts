/**
 * Finds the knowledge for a caller's turn: the state of the opening hours, the hours of mentioned
 * dates, and matching passages.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import { readYesOrNo, guessAnswer } from '../../../providers/model/builtin/intents.ts'
import type {
  AnswerTask,
  DayKnowledge,
  HoursKnowledge,
  Passage,
} from '../../../providers/model/builtin/knowledge.ts'
import type { Language } from '../../../providers/model/language/language.ts'
import { findLastQuote } from '../../../providers/model/language/speech.ts'
import { findMatches } from '../../../providers/model/understanding/match.ts'
import { splitQuestions } from '../../../providers/model/understanding/parts.ts'
import type { PassageIndex } from '../../../providers/model/understanding/passage-index.ts'
import {
  findNextClosing,
  toLocalDate,
  findHoursOn,
  isOpen,
  toLocalTime,
  findNextOpening,
  type BusinessHours,
} from '../hours.ts'
import type { Profile } from '../profile.ts'
import { findDates } from '../date-expressions.ts'
import { passageIndexOf } from './passage-cache.ts'

const PASSAGES_MAX = 8
const PASSAGES_PER_QUESTION_MAX = 4
/** Passages that are less likely to answer are not given to a model. */
const SCORE_MIN = 0.05
/** A page that may be outdated does not answer where such a fact may. */
const FACT_MIN = 0.6
const PAGE_SHARE = 0.99

export interface RetrievalQuery {
  project_id: string
  profile: Profile
  /** The caller's last turn, and below it the assistant's turn before it. */
  said: string
  before: string
  language: Language
}

export type RetrievedKnowledge = Pick<AnswerTask, 'hours' | 'passages' | 'questions'>

export async function retrieveKnowledge(
  runtime: Runtime,
  moment: RetrievalQuery,
): Promise<RetrievedKnowledge> {
  const { project_id, said, before, language } = moment
  // An affirmative answer refers to the question that the assistant quoted before.
  const quoted = findLastQuote(before)
  const index = await passageIndexOf(runtime.db, project_id, `${said} ${quoted ?? ''}`)
  const questions =
    quoted !== null && isYes(said, language)
      ? [{ text: quoted, passages: passagesTitled(index, quoted) }]
      : questionsIn(said, language).map((text) => {
          return { text, passages: passagesFor(index, text, language) }
        })
  const passages = questions
    .flatMap((question) => question.passages)
    .toSorted((a, b) => b.score - a.score)
  const distinct = [...new Map(passages.toReversed().map((one) => [one.body, one])).values()]
  return {
    passages: distinct.toReversed().slice(0, PASSAGES_MAX),
    questions,
    hours: hoursNow(moment, runtime.clock.now()),
  }
}

/** The whole, and the parts of it that may be questions of their own. */
function questionsIn(said: string, language: Language): string[] {
  const parts = splitQuestions(said, language)
  return parts.length > 1 ? [said, ...parts] : [said]
}

/** The passages whose question the assistant quoted. */
function passagesTitled({ entries }: PassageIndex, title: string): Passage[] {
  return entries
    .filter(({ text }) => text.title === title)
    .map(({ text }) => ({ ...text, score: 1 }))
    .slice(0, PASSAGES_PER_QUESTION_MAX)
}

function passagesFor(index: PassageIndex, text: string, language: Language): Passage[] {
  const found = findMatches(index, text, language)
    .filter(({ score }) => score >= SCORE_MIN)
    .map(({ text, score }) => ({ ...text, score }))
  return preferFacts(found).slice(0, PASSAGES_PER_QUESTION_MAX)
}

/** Lets a fact that answers a question win over a page that may be outdated. */
function preferFacts(found: readonly Passage[]): Passage[] {
  const fact = found.find(({ source, score }) => source === 'fact' && score >= FACT_MIN)
  if (fact === undefined) return [...found]
  const bounded = found.map((one) =>
    one.source === 'website'
      ? { ...one, score: Math.min(one.score, fact.score * PAGE_SHARE) }
      : one,
  )
  return bounded.toSorted((a, b) => b.score - a.score)
}

function isYes(said: string, language: Language): boolean {
  return (readYesOrNo(said, language) ?? guessAnswer(said, language)) === 'yes'
}

/** Returns null if no opening hours are set. */
function hoursNow({ profile, said, language }: RetrievalQuery, now: Date): HoursKnowledge | null {
  if (profile.opening_hours.length === 0) return null
  const today = toLocalDate(profile, now)
  const closes = findNextClosing(profile, now)
  const opens = findNextOpening(profile, now)
  const day = (date: Temporal.PlainDate) => dayOn(profile, date)
  return {
    today: today.toString(),
    open: isOpen(profile, now),
    closes: closes && toLocalTime(profile, closes),
    opens: opens && toLocalTime(profile, opens),
    asked: findDates(said, language, today).map((date) => day(Temporal.PlainDate.from(date))),
    week: Array.from({ length: 7 }, (_, days) => day(today.add({ days }))),
  }
}

/** The opening hours of a date. */
export function dayOn(hours: BusinessHours, date: Temporal.PlainDate): DayKnowledge {
  const { ranges, closure } = findHoursOn(hours, date)
  return { date: date.toString(), ranges, closed_because: closure?.reason ?? null }
}
