/**
 * Recognises what callers mean whatever their wording: agreeing, declining, leaving a message at
 * once, insulting, and calling for help. Pure; all input is folded text except where noted.
 */
import { intentPattern, type IntentPatterns } from './intent-patterns.ts'
import { languages, type Language } from '../language/language.ts'
import { phrases } from '../language/phrases.ts'
import { fold, mentions, without } from '../language/words.ts'

const REPLY_WORDS_MAX = 9
const RUDE_WORDS_MAX = 8
const MESSAGE_WORDS_MIN = 5
const CONTENT_WORDS_MIN = 6
const DIGITS_OF_A_PHONE_NUMBER = 6

function matches(folded: string, language: Language, intent: keyof IntentPatterns): boolean {
  return folded.search(intentPattern(language, intent)) >= 0
}

function begins(folded: string, language: Language, intent: keyof IntentPatterns): boolean {
  return folded.search(intentPattern(language, intent)) === 0
}

function wordsIn(folded: string): number {
  return folded === '' ? 0 : folded.split(' ').length
}

/** What remains of a text without the words of the intents. */
function rest(folded: string, language: Language, intents: readonly (keyof IntentPatterns)[]) {
  const left = intents.reduce(
    (text, intent) => text.replace(intentPattern(language, intent), ' '),
    folded,
  )
  return left.replace(/ +/g, ' ').trim()
}

/**
 * How somebody answers a question of the assistant: yes, no, or null when they say something
 * else, such as another question or "yes, but …". `said` is the text as it was said.
 */
export function answerToQuestion(said: string, language: Language): 'yes' | 'no' | null {
  const folded = fold(said)
  const others = languages.filter((one) => one !== language)
  // People answer in a word of another language too, and speech recognition mistakes "ja" for one.
  const spoken = [language, ...(wordsIn(folded) <= 2 ? others : [])]
  for (const one of spoken) {
    const answered = answerIn(said, folded, one)
    if (answered !== null) return answered
  }
  return null
}

function answerIn(said: string, folded: string, language: Language): 'yes' | 'no' | null {
  const is_reply = folded !== '' && wordsIn(folded) <= REPLY_WORDS_MAX
  if (!is_reply || said.includes('?') || matches(folded, language, 'contrast')) return null
  if (begins(folded, language, 'plain_no')) return 'no'
  const declines = matches(folded, language, 'refusal')
  if (!declines && begins(folded, language, 'plain_yes')) return 'yes'
  const left = rest(folded, language, ['assent', 'refusal', 'around'])
  if (declines) return left === '' ? 'no' : null
  return left === '' && matches(folded, language, 'assent') ? 'yes' : null
}

/** Whether folded text has only words that carry no meaning of their own, or none. */
export function isFiller(folded: string, language: Language): boolean {
  return rest(folded, language, ['around']) === ''
}

/**
 * The same for an answer with other words: it declines if it negates anything, and agrees if the
 * other words carry no subject. Only for what no other rule understands.
 */
export function looseAnswer(said: string, language: Language): 'yes' | 'no' | null {
  const folded = fold(said)
  if (folded === '' || wordsIn(folded) > REPLY_WORDS_MAX || said.includes('?')) return null
  if (matches(folded, language, 'refusal')) return 'no'
  const { common, filler } = phrases[language].cues
  const left = without(rest(folded, language, ['assent', 'around']), common, filler)
  return left === '' && matches(folded, language, 'assent') ? 'yes' : null
}

/** Whether somebody takes their leave in a sentence with other words. */
export function saysGoodbye(folded: string, language: Language): boolean {
  return matches(folded, language, 'farewell')
}

/** Whether an answer says more than yes or no. */
export function saysMore(said: string, language: Language): boolean {
  return rest(fold(said), language, ['assent', 'refusal', 'around']) !== ''
}

/**
 * Whether somebody gives a message for the business without being asked for one. `certain` when
 * they ask to pass it on; otherwise an answer that is known comes first.
 */
export function givenMessage(said: string, language: Language): 'certain' | 'likely' | null {
  const folded = fold(said)
  if (wordsIn(folded) < MESSAGE_WORDS_MIN) return null
  const has_number = said.replace(/\D/g, '').length >= DIGITS_OF_A_PHONE_NUMBER
  const { message } = phrases[language].cues
  const content = rest(folded, language, ['pass_on', 'call_back'])
  // "Can I leave a message for Jo?" announces a message and is none yet.
  const announces = mentions(folded, message) && wordsIn(content) < CONTENT_WORDS_MIN
  if (announces && !has_number) return null
  if (matches(folded, language, 'pass_on')) return 'certain'
  if (matches(folded, language, 'call_back')) return has_number ? 'certain' : null
  return matches(folded, language, 'notice') ? 'likely' : null
}

/** Whether somebody insults the assistant or the business. */
export function isAbusive(said: string, language: Language): boolean {
  const folded = fold(said)
  if (matches(folded, language, 'abuse')) return true
  const is_outburst = wordsIn(folded) <= RUDE_WORDS_MAX && !said.includes('?')
  return is_outburst && matches(folded, language, 'rude')
}

export interface Emergency {
  kind: 'danger' | 'urgent'
  language: Language
}

// As it was said: "Help!" calls for help, and "help with my order" does not.
const cryPattern =
  /(?:^|[.!,¡]\s*)(?:please\s+|bitte\s+)?(?:help|hilfe|au secours|à l['’]aide|socorro|auxilio|aiuto)\s*[,!.]/i

/** Whether somebody calls for help, in any of the languages; their own is tried first. */
export function emergencyIn(said: string, language: Language): Emergency | null {
  const folded = fold(said)
  const order = [language, ...languages.filter((one) => one !== language)]
  if (cryPattern.test(said)) return { kind: 'danger', language }
  for (const kind of ['danger', 'urgent'] as const) {
    const found = order.find((one) => matches(folded, one, kind))
    if (found !== undefined) return { kind, language: found }
  }
  return null
}
