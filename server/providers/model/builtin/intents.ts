/**
 * Recognizes the intents of callers in many wordings: agreeing, declining, leaving a message,
 * insulting, and calling for help. Pure; all input is folded text unless noted.
 */
import { intentPattern, type IntentPatterns } from './intent-patterns.ts'
import { languages, type Language } from '../language/language.ts'
import { phrases } from '../language/phrases.ts'
import { fold, containsEntry, removeEntries } from '../language/words.ts'

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

/** Removes the words of the intents from a text. */
function rest(folded: string, language: Language, intents: readonly (keyof IntentPatterns)[]) {
  const left = intents.reduce(
    (text, intent) => text.replace(intentPattern(language, intent), ' '),
    folded,
  )
  return left.replace(/ +/g, ' ').trim()
}

/**
 * Classifies a reply to a yes-or-no question of the assistant: yes, no, or null for anything else,
 * such as another question or "yes, but …". `said` is the caller's text, unfolded.
 */
export function readYesOrNo(said: string, language: Language): 'yes' | 'no' | null {
  const folded = fold(said)
  const others = languages.filter((one) => one !== language)
  // Short replies may be in another language, and speech recognition confuses "ja" with one.
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

/** Whether folded text has only filler words, or none. */
export function isFiller(folded: string, language: Language): boolean {
  return rest(folded, language, ['around']) === ''
}

/**
 * Like readYesOrNo for longer replies: any negation means no; otherwise it means yes if the other
 * words carry no subject. Used only if no other rule applies.
 */
export function guessAnswer(said: string, language: Language): 'yes' | 'no' | null {
  const folded = fold(said)
  if (folded === '' || wordsIn(folded) > REPLY_WORDS_MAX || said.includes('?')) return null
  if (matches(folded, language, 'refusal')) return 'no'
  const { common, filler } = phrases[language].cues
  const left = removeEntries(rest(folded, language, ['assent', 'around']), common, filler)
  return left === '' && matches(folded, language, 'assent') ? 'yes' : null
}

/** Whether a sentence with other words contains a farewell. */
export function saysGoodbye(folded: string, language: Language): boolean {
  return matches(folded, language, 'farewell')
}

/** Whether a reply contains more than yes or no. */
export function saysMoreThanYesOrNo(said: string, language: Language): boolean {
  return rest(fold(said), language, ['assent', 'refusal', 'around']) !== ''
}

/**
 * Whether the caller leaves an unprompted message. `certain` if they ask to pass it on; if
 * `likely`, a known answer takes precedence.
 */
export function findUnpromptedMessage(
  said: string,
  language: Language,
): 'certain' | 'likely' | null {
  const folded = fold(said)
  if (wordsIn(folded) < MESSAGE_WORDS_MIN) return null
  const has_number = said.replace(/\D/g, '').length >= DIGITS_OF_A_PHONE_NUMBER
  const { message } = phrases[language].cues
  const content = rest(folded, language, ['pass_on', 'call_back'])
  // "Can I leave a message for Jo?" only announces a message.
  const announces = containsEntry(folded, message) && wordsIn(content) < CONTENT_WORDS_MIN
  if (announces && !has_number) return null
  if (matches(folded, language, 'pass_on')) return 'certain'
  if (matches(folded, language, 'call_back')) return has_number ? 'certain' : null
  return matches(folded, language, 'notice') ? 'likely' : null
}

/** Whether the caller insults the assistant or the business. */
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

// On unfolded text: "Help!" is an emergency, "help with my order" is not.
const cryPattern =
  /(?:^|[.!,¡]\s*)(?:please\s+|bitte\s+)?(?:help|hilfe|au secours|à l['’]aide|socorro|auxilio|aiuto)\s*[,!.]/i

/** Whether the caller reports an emergency, in any language; tries the given one first. */
export function findEmergency(said: string, language: Language): Emergency | null {
  const folded = fold(said)
  const order = [language, ...languages.filter((one) => one !== language)]
  if (cryPattern.test(said)) return { kind: 'danger', language }
  for (const kind of ['danger', 'urgent'] as const) {
    const found = order.find((one) => matches(folded, one, kind))
    if (found !== undefined) return { kind, language: found }
  }
  return null
}
