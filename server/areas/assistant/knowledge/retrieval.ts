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
} from '../../../providers/model/builtin/knowledge.ts'
import type { Language } from '../../../providers/model/language/language.ts'
import { findLastQuote } from '../../../providers/model/language/speech.ts'
import { fold, extractTerms } from '../../../providers/model/language/words.ts'
import {
  findNextClosing,
  toLocalDate,
  findHoursOn,
  isOpen,
  toLocalTime,
  findNextOpening,
} from '../hours/hours.ts'
import type { Profile } from '../profile.ts'
import * as store from '../store.ts'
import { findDates } from '../hours/date-expressions.ts'

const PASSAGES_MAX = 8
const ROOT_CHARACTERS_MIN = 5

export interface RetrievalQuery {
  project_id: string
  profile: Profile
  /** The caller's last turn, and below it the assistant's turn before it. */
  said: string
  before: string
  language: Language
}

export type RetrievedKnowledge = Pick<AnswerTask, 'hours' | 'passages'>

export async function retrieveKnowledge(
  runtime: Runtime,
  moment: RetrievalQuery,
): Promise<RetrievedKnowledge> {
  const { project_id, said, before, language } = moment
  // An affirmative answer refers to the question that the assistant quoted before.
  const answers = findLastQuote(before) !== null && isYes(said, language)
  const own = answers ? [] : extractTerms(said, language)
  const terms = own.length > 0 ? own : extractTerms(findLastQuote(before) ?? before, language)
  const passages = await store.searchPassages(runtime.db, {
    project_id,
    language,
    limit: PASSAGES_MAX,
    terms: terms.map(({ word, concept }) => {
      const folded = fold(word)
      return { word, folded, root: rootOf(folded), concept }
    }),
  })
  return { passages, hours: hoursNow(moment, runtime.clock.now()) }
}

function isYes(said: string, language: Language): boolean {
  return (readYesOrNo(said, language) ?? guessAnswer(said, language)) === 'yes'
}

/** Removes the most common ending of a word. Stemmers do not unify some of these forms. */
function rootOf(folded: string): string {
  const root = folded.replace(/(?:e[nrs]|[sen])$/, '')
  if (root.length >= ROOT_CHARACTERS_MIN) return root
  return folded.length >= ROOT_CHARACTERS_MIN ? folded : ''
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

function dayOn(profile: Profile, date: Temporal.PlainDate): DayKnowledge {
  const { ranges, closure } = findHoursOn(profile, date)
  return { date: date.toString(), ranges, closed_because: closure?.reason ?? null }
}
