/**
 * Answers of the built-in model from the knowledge that was found: opening hours, or the passage
 * that most probably answers the question. Several questions in one sentence are answered one by
 * one.
 */
import { asksForHours, describeHours } from './builtin-hours.ts'
import type { AnswerTask, HoursKnowledge, Passage } from './knowledge.ts'
import type { Language } from '../language/language.ts'
import { quoteText, writeSentence } from '../language/speech.ts'
import { fold, languageOf } from '../language/words.ts'
import { analyse, type Word } from '../understanding/analysis.ts'

/**
 * Minimum scores of passages that are quoted as the answer: of facts, and of texts, which cannot be
 * offered as "do you mean …?" Chosen on the open half of the evaluation: fewer than 1 in 20 questions
 * without an answer are answered.
 */
const fact_sure_min = 0.75
const text_sure_min = 0.7
/** Minimum score of a fact whose question is offered as "do you mean …?" */
const score_near_min = 0.45

/** Whether a passage answers the question without asking back. */
export function isSure({ source, score }: Pick<Passage, 'source' | 'score'>): boolean {
  return score >= (source === 'fact' ? fact_sure_min : text_sure_min)
}

export interface Asked {
  task: AnswerTask
  /** The caller's last utterance, and the one before it. */
  said: string
  earlier: string
  language: Language
}

type Question = NonNullable<AnswerTask['questions']>[number]

/**
 * Returns the answer, else "do you mean …?" unless `sure_only`; null if no passage is close enough. Of two
 * questions, one may be answered and the other asked back.
 */
export function answerFromKnowledge(asked: Asked, sure_only: boolean): string | null {
  const { task, said, language } = asked
  const [whole = { text: said, passages: task.passages }, ...parts] = task.questions ?? []
  const answers = new Set(parts.flatMap((part) => sureAnswer(part, asked) ?? []))
  if (answers.size > 1) return [...answers].join(' ')
  const answer = sureAnswer(whole, asked) ?? [...answers][0] ?? null
  if (sure_only) return answer
  const open = parts.filter((part) => sureAnswer(part, asked) === null)
  const near = nearestFact(answer === null ? [whole, ...parts] : answers.size === 0 ? [] : open)
  if (near === undefined || near.body === answer) return answer
  const back = writeSentence(language, 'did_you_mean', { titles: quoteText(near.title) })
  return answer === null ? back : `${answer} ${back}`
}

/** The fact whose question is offered. */
function nearestFact(questions: readonly Question[]): Passage | undefined {
  return questions
    .flatMap(({ passages }) => passages)
    .filter(
      ({ source, title, score }) => source === 'fact' && title !== '' && score >= score_near_min,
    )
    .toSorted((a, b) => b.score - a.score)[0]
}

/** The most probable passage, if it is sure. Below a better fact that is asked back, none is. */
function surePassage([best]: readonly Passage[]): Passage | undefined {
  return best && isSure(best) ? best : undefined
}

/**
 * Whether the passage that answers the question has every word that tells what the question is
 * about. Opening hours count as one that has.
 */
export function isCovered(asked: Asked): boolean {
  const { task, said, language } = asked
  const best = surePassage(task.passages)
  if (best === undefined) return task.hours !== null && isAboutHours(said, asked, task.hours)
  const written_in = languageOf(best.language) ?? language
  const known = new Set(analyse(`${best.title} ${best.body}`, written_in).flatMap(keysOf))
  return analyse(said, language)
    .filter(({ kind }) => kind !== 'weak')
    .every((word) => keysOf(word).some((key) => known.has(key)))
}

const keysOf = ({ keys }: Word): string[] => [...keys.keys()]

function sureAnswer({ text, passages }: Question, asked: Asked): string | null {
  const { task, language } = asked
  const best = surePassage(passages)
  const has_own = best !== undefined && hasOwnHours(best, text, language)
  if (task.hours !== null && !has_own && isAboutHours(text, asked, task.hours))
    return describeHours(fold(text), language, task.hours)
  return best === undefined ? null : quotePassage(best, language)
}

/**
 * Whether a passage is about a part of the business that the question names, such as the workshop. It
 * then takes precedence over the opening hours.
 */
function hasOwnHours(
  { title, body, ...passage }: Passage,
  text: string,
  language: Language,
): boolean {
  const written_in = languageOf(passage.language) ?? language
  const known = new Set(analyse(title || body, written_in).flatMap(subjectsOf))
  return analyse(text, language)
    .flatMap(subjectsOf)
    .some((key) => known.has(key))
}

function subjectsOf({ kind, keys }: Word): string[] {
  if (kind === 'weak' || keys.has('#opening_hours')) return []
  return [...keys].flatMap(([key, share]) => (share === 1 ? key : []))
}

const FOLLOW_UP_WORDS_MAX = 5

/** Whether a follow-up such as "And on Sunday?" continues a question about hours. */
function isAboutHours(text: string, { language, earlier }: Asked, hours: HoursKnowledge): boolean {
  const names_day = hours.asked.length > 0
  if (asksForHours(text, language, names_day)) return true
  const is_follow_up = names_day && fold(text).split(' ').length <= FOLLOW_UP_WORDS_MAX
  return is_follow_up && asksForHours(earlier, language, true)
}

/** Quotes a passage, with an introduction if it is in another language. */
export function quotePassage({ body, language: written_in }: Passage, language: Language): string {
  if (languageOf(written_in) === language) return body
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(written_in) ?? written_in
  return `${writeSentence(language, 'only_in', { language: name })} ${body}`
}
