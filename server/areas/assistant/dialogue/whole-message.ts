/**
 * Completes a message with what the caller said before it was offered to take one. Models note the
 * last words, such as "yes, my name is Jo", and the business also needs the wish.
 */
import { cutText } from '../../../kernel/values/cut-text.ts'
import { readYesOrNo, saysMoreThanYesOrNo } from '../../../providers/model/builtin/intents.ts'
import { languages } from '../../../providers/model/language/language.ts'
import { phrases } from '../../../providers/model/language/phrases.ts'
import { containsSentence } from '../../../providers/model/language/speech.ts'
import {
  containsEntry,
  containsInjection,
  fold,
  hasOnlyEntries,
  removeEntries,
} from '../../../providers/model/language/words.ts'

interface Turn {
  role: 'caller' | 'assistant'
  text: string
}

const MESSAGE_CHARACTERS_MAX = 1_000
const DIGITS_OF_A_PHONE_NUMBER = 6
/** Share of the words of an utterance with which a message contains it. */
const CONTAINED = 0.6
/** Number of other words from which an utterance about a message has contents. */
const ANNOUNCED_WORDS_MIN = 5

/** Sentences after which the caller still wants the same. */
const open = [
  'unknown',
  'ask_message',
  'ask_message_again',
  'ask_message_rest',
  'no_human',
  'trouble',
] as const

/** Returns the message, after the utterances that belong to it and that it does not contain. */
export function completeMessage(text: string, turns: readonly Turn[]): string {
  const missing = listWish(sinceLastMessage(turns)).filter(
    (said) => !isReplyOnly(said) && !containsInjection(said) && !contains(text, said),
  )
  const room = MESSAGE_CHARACTERS_MAX - text.length - 1
  if (missing.length === 0 || room <= 0) return cutText(text, MESSAGE_CHARACTERS_MAX)
  const before = missing.map((said) => (/\p{P}$/u.test(said) ? said : `${said}.`)).join(' ')
  return cutText(`${cutText(before, room)} ${text}`, MESSAGE_CHARACTERS_MAX)
}

function sinceLastMessage(turns: readonly Turn[]): readonly Turn[] {
  const isTaken = ({ role, text }: Turn) =>
    role === 'assistant' && containsSentence(text, 'message_taken')
  return turns.slice(turns.findLastIndex(isTaken) + 1)
}

/**
 * Returns the utterances before the last one that no answer has settled, and those with a name or
 * phone number.
 */
function listWish(turns: readonly Turn[]): string[] {
  const last = turns.findLastIndex(({ role }) => role === 'caller')
  const before = turns.slice(0, Math.max(last, 0))
  const settled = before.findLastIndex(({ role, text }) => role === 'assistant' && !isOpen(text))
  return before.flatMap(({ role, text }, at) =>
    role === 'caller' && (at > settled || identifies(text)) ? [text.trim()] : [],
  )
}

/** Whether the assistant asks or offers something instead of answering. */
function isOpen(text: string): boolean {
  return text.includes('?') || open.some((sentence) => containsSentence(text, sentence))
}

function identifies(said: string): boolean {
  if (said.replaceAll(/\D/g, '').length >= DIGITS_OF_A_PHONE_NUMBER) return true
  const folded = fold(said)
  return languages.some((one) => {
    const { greeting, introduction } = phrases[one].cues
    const words = removeEntries(folded, greeting)
    return introduction.some((entry) => words.startsWith(`${fold(entry)} `))
  })
}

/** Whether an utterance only agrees, greets, thanks or asks to leave a message. */
function isReplyOnly(said: string): boolean {
  const folded = fold(said)
  if (folded === '') return true
  return languages.some((one) => {
    const { affirm, deny, thanks, greeting, goodbye, goodbye_alone, message } = phrases[one].cues
    const lists = [affirm, deny, thanks, greeting, goodbye, goodbye_alone, message]
    if (hasOnlyEntries(folded, ...lists)) return true
    // "Can I leave a message?" only announces one.
    const left = removeEntries(folded, message).split(' ')
    if (containsEntry(folded, message) && left.length < ANNOUNCED_WORDS_MIN) return true
    return readYesOrNo(said, one) !== null && !saysMoreThanYesOrNo(said, one)
  })
}

function contains(text: string, said: string): boolean {
  const [whole, folded] = [fold(text), fold(said)]
  if (whole.includes(folded)) return true
  const words = new Set(whole.split(' '))
  const telling = folded.split(' ').filter((word) => word.length > 3 || /\d/.test(word))
  const found = telling.filter((word) => words.has(word))
  return telling.length > 0 && found.length >= telling.length * CONTAINED
}
