/**
 * The kind of answer that a question asks for, and whether a text has it: a question about a price is
 * not answered by a place.
 */
import type { Language } from '../language/language.ts'
import { containsEntry, fold } from '../language/words.ts'
import { readData } from './stems.ts'

const answerTypes = ['price', 'duration', 'who', 'where', 'when'] as const
export type AnswerType = (typeof answerTypes)[number]

const cues = new Map<string, readonly string[]>()
let current = ''
for (const line of readData('answer-types.txt').split('\n')) {
  current = /^\[(\w+)\]$/.exec(line)?.[1] ?? current
  const [language = '', entries = ''] = line.split(/: (.*)/)
  if (entries !== '') cues.set(`${current} ${language}`, entries.split(', '))
}

const noCues: readonly string[] = []

/** The types that a question asks for; none for a question that yes or no answers. */
export function askedTypes(text: string, language: Language): AnswerType[] {
  const folded = fold(text)
  const has = (type: AnswerType) => containsEntry(folded, cues.get(`${type} ${language}`) ?? noCues)
  return answerTypes.filter(has)
}

const amount =
  /[€£$]|\b(?:euros?|eur|pounds?|dollars?|gratis|free|kosteloos|kostenlos|kostenfrei|umsonst|included|inbegrepen|inclusief|inklusive|gratuit\w*|incluido|incluso)\b|\d ?(?:%|procent|percent|prozent)/i
const units =
  'second|sec|min|uur|uren|hour|hrs?|stunde|dag|day|tag|werktag|werkdag|week|weken|woche|month|maand|monat|year|jaar|jahr|heure|jour|semaine|mois|hora|día|dia|semana|ora|ore|giorn|settiman'
const time_span = new RegExp(`\\b(?:${units})\\p{L}*`, 'iu')

/** Whether a text could answer a question of a type; true for types without a recognizable form. */
export function hasAnswerOfType(type: AnswerType, text: string): boolean {
  if (type === 'price') return amount.test(text)
  if (type === 'duration') return time_span.test(text)
  return true
}
