/**
 * The summaries of the built-in model, which consist of quotations. Questions, answers, open points
 * and messages are recognized by the assistant's sentences, which are known word for word. The mood
 * is counted from words.
 */
import {
  findConcepts,
  detectLanguage,
  fold,
  containsEntry,
  hasOnlyEntries,
} from '../language/words.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'
import type { SummaryTask, SpokenTurn } from './knowledge.ts'
import type { Language } from '../language/language.ts'
import { phrases } from '../language/phrases.ts'
import { fillTemplate, findLastQuote, quoteText, containsSentence } from '../language/speech.ts'

export type Sentiment = 'positive' | 'neutral' | 'negative' | 'mixed' | 'unknown'

export interface BuiltinSummary {
  text: string
  topics: string[]
  sentiment: Sentiment
  action_items: string[]
  next_step: string
}

type Outcome = 'answered' | 'unanswered' | 'message' | 'transferred' | 'talk'

interface Exchange {
  said: string
  language: Language
  reply: string
  outcome: Outcome
}

const ITEMS_MAX = 10
const TOPICS_MAX = 5
const QUOTE_CHARACTERS_MAX = 300

export function summarizeConversation({ turns, language }: SummaryTask): BuiltinSummary {
  const words = phrases[language].summary
  const exchanges = exchangesOf(turns, language)
  const of = (...outcomes: Outcome[]) => exchanges.filter((one) => outcomes.includes(one.outcome))
  const action_items = [
    ...of('message').map(({ said }) => fillTemplate(words.pass_on, { text: quoteText(said) })),
    ...of('unanswered').map(({ said }) => fillTemplate(words.find_out, { text: quoteText(said) })),
  ].slice(0, ITEMS_MAX)
  const lines = [
    line(
      words.asked,
      of('answered', 'unanswered').map(({ said }) => said),
    ),
    line(
      words.answered,
      of('answered').map(({ reply }) => reply),
    ),
    line(
      words.unanswered,
      of('unanswered').map(({ said }) => said),
    ),
    line(
      words.message,
      of('message').map(({ said }) => said),
    ),
    of('transferred').length > 0 ? words.transferred : '',
  ].filter(Boolean)
  return {
    text: lines.join(' ') || silentText(exchanges, words),
    topics: topicsOf(of('answered', 'unanswered', 'message'), language),
    sentiment: sentimentOf(exchanges),
    action_items,
    next_step: action_items[0] ?? words.no_action,
  }
}

function silentText(
  exchanges: readonly Exchange[],
  words: { nothing_said: string; asked: string },
) {
  return exchanges.length === 0
    ? words.nothing_said
    : line(
        words.asked,
        exchanges.map((one) => one.said),
      )
}

function line(template: string, items: readonly string[]): string {
  const quotes = [...new Set(items)].slice(0, ITEMS_MAX).map(quoteText)
  return quotes.length === 0 ? '' : `${fillTemplate(template, { items: quotes.join(', ') })}.`
}

/** Each utterance of the caller with the assistant's reply. */
function exchangesOf(turns: readonly SpokenTurn[], standard: Language): Exchange[] {
  const exchanges: Exchange[] = []
  let language = standard
  for (const [index, { role, text }] of turns.entries()) {
    const said = shorten(text)
    if (role !== 'caller' || said === '') continue
    const rest = turns.slice(index + 1)
    const end = rest.findIndex((turn) => turn.role === 'caller' && turn.text.trim() !== '')
    const replies = rest.slice(0, end < 0 ? rest.length : end)
    const reply = replies.filter((turn) => turn.role === 'assistant').map((turn) => turn.text)
    language = detectLanguage(text) ?? language
    const joined = shorten(reply.join(' '))
    const outcome = outcomeOf(said, joined, language)
    // A message may have several parts; the reply quotes the noted text.
    const noted = outcome === 'message' ? findLastQuote(joined) : null
    exchanges.push({ said: noted ?? said, language, reply: joined, outcome })
  }
  return exchanges
}

function outcomeOf(said: string, reply: string, language: Language): Outcome {
  if (containsSentence(reply, 'message_taken')) return 'message'
  if (containsSentence(reply, 'connecting')) return 'transferred'
  const { affirm, deny, greeting, thanks, goodbye, goodbye_alone, how_are_you } =
    phrases[language].cues
  const small = [affirm, deny, greeting, thanks, goodbye, goodbye_alone, how_are_you]
  if (hasOnlyEntries(fold(said), ...small)) return isAnswer(reply) ? 'answered' : 'talk'
  if ((['unknown', 'trouble', 'no_human'] as const).some((one) => containsSentence(reply, one)))
    return 'unanswered'
  if (containsSentence(reply, 'did_you_mean') || !isAnswer(reply)) return 'talk'
  return 'answered'
}

/** Whether a reply contains more than the standard sentences. */
function isAnswer(reply: string): boolean {
  const ready = [
    'help',
    'small_talk',
    'welcome',
    'goodbye',
    'still_there',
    'silence_goodbye',
    'say_again',
    'ask_message',
    'ask_message_again',
    'ask_message_rest',
    'message_dropped',
    'did_you_mean',
    'unknown',
    'identity',
  ] as const
  return reply !== '' && !ready.some((one) => containsSentence(reply, one))
}

function topicsOf(exchanges: readonly Exchange[], language: Language): string[] {
  const topics = exchanges.flatMap((exchange) => {
    const folded = fold(exchange.said)
    const about_hours = containsEntry(folded, phrases[exchange.language].cues.opening)
    const named = findConcepts(folded).map(({ topic }) => topic[language])
    return [...(about_hours ? [phrases[language].summary.hours_topic] : []), ...named]
  })
  return [...new Set(topics)].slice(0, TOPICS_MAX)
}

function sentimentOf(exchanges: readonly Exchange[]): Sentiment {
  if (exchanges.length === 0) return 'unknown'
  const counts = exchanges.map(({ said, language }) => {
    const { positive, negative } = phrases[language].cues
    const folded = fold(said)
    return { good: containsEntry(folded, positive), bad: containsEntry(folded, negative) }
  })
  const good = counts.some((count) => count.good)
  const bad = counts.some((count) => count.bad)
  if (good && bad) return 'mixed'
  if (bad) return 'negative'
  return good ? 'positive' : 'neutral'
}

function shorten(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return plain.length > QUOTE_CHARACTERS_MAX ? `${cutText(plain, QUOTE_CHARACTERS_MAX)}…` : plain
}
