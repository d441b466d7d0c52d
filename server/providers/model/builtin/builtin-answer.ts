/**
 * The answers of the built-in model: small talk and requests by rules, opening hours from
 * precomputed data, everything else from the passages found by the search. It generates no text. If
 * unsure it asks back; without an answer it says so and offers to take a message.
 */
import { answerFromKnowledge, isCovered, quotePassage } from './builtin-knowledge.ts'
import {
  readYesOrNo,
  findUnpromptedMessage,
  isAbusive,
  isFiller,
  guessAnswer,
  saysMoreThanYesOrNo,
  saysGoodbye,
} from './intents.ts'
import type { AnswerTask } from './knowledge.ts'
import { listLookUps, describeFound, type LookUpInput } from './builtin-look-up.ts'
import type { ConversationTool } from '../tools.ts'
import type { Cues, Language } from '../language/language.ts'
import { phrases } from '../language/phrases.ts'
import { findRequestedLanguage, nameLanguages } from '../language/spoken-languages.ts'
import { findLastQuote, quoteText, writeSentence, containsSentence } from '../language/speech.ts'
import {
  fold,
  containsInjection,
  languageOf,
  containsEntry,
  hasOnlyEntries,
  removeEntries,
} from '../language/words.ts'
import { askedTypes } from '../understanding/answer-types.ts'

export interface HeardConversation {
  /** The caller's last utterance. */
  said: string
  /** The assistant's utterance before that; empty at the start. */
  before: string
  /** The caller's previous utterance; empty at the start. */
  earlier: string
  tools: ReadonlySet<string>
}

export interface BuiltinAnswer {
  text: string
  tool?: { name: ConversationTool; input: Record<string, string> }
  /** Collections to look up before it answers. */
  look_ups?: readonly LookUpInput[]
}

const DIGITS_OF_A_PHONE_NUMBER = 6
const GOODBYE_WORDS_MAX = 9
const INTRODUCTION_WORDS_MAX = 7
const NAME_WORDS_MAX = 4
const UNCLEAR_WORDS_MAX = 4

interface Hearing {
  task: AnswerTask
  heard: HeardConversation
  folded: string
  cues: Cues
  language: Language
}

export function answerCaller(task: AnswerTask, heard: HeardConversation): BuiltinAnswer {
  const { language } = task
  const hearing = { task, heard, language, folded: fold(heard.said), cues: phrases[language].cues }
  return (
    replyToQuestion(hearing) ??
    restOfMessage(hearing) ??
    closing(hearing) ??
    messageAtOnce(hearing) ??
    handover(hearing) ??
    takenMessage(hearing) ??
    askForMessage(hearing) ??
    smallTalk(hearing) ??
    calm(hearing) ??
    replyToQuestion(hearing, guessAnswer) ??
    factOrRecord(hearing) ??
    introduction(hearing) ??
    askAgain(hearing) ??
    lookUpOrOffer(hearing)
  )
}

/** Farewells that are unambiguous at the end of a sentence. */
const byePattern = / (?:bye|ciao|tschau|tschuss|chao|chau|doei|doeg|adios|arrivederci|au revoir)$/

function closing({ folded, cues, heard, language }: Hearing): BuiltinAnswer | null {
  const is_short = folded.split(' ').length <= GOODBYE_WORDS_MAX
  const farewell = containsEntry(folded, cues.goodbye) || saysGoodbye(folded, language)
  const leaves = is_short && farewell && !heard.said.includes('?')
  const others = removeEntries(folded, cues.goodbye_alone, cues.thanks, cues.affirm, cues.deny)
  const is_farewell = isFiller(others, language) && containsEntry(folded, cues.goodbye_alone)
  const is_done = isOfferOfMore(heard.before) && hasOnlyEntries(folded, cues.deny, cues.thanks)
  const wants_nothing = is_done && containsEntry(folded, cues.deny)
  const ends_with_bye = is_short && !heard.said.includes('?') && byePattern.test(folded)
  return leaves || is_farewell || wants_nothing || ends_with_bye ? act('end_call') : null
}

function isOfferOfMore(text: string): boolean {
  return (['welcome', 'message_taken', 'message_dropped'] as const).some((one) =>
    containsSentence(text, one),
  )
}

function handover({ task, folded, cues, heard, language }: Hearing): BuiltinAnswer | null {
  // "Are you a real person?" asks about the assistant and does not request a transfer.
  if (!containsEntry(removeEntries(folded, cues.identity), cues.human)) return null
  return putThrough({ task, folded, cues, heard, language })
}

/** Transfers to the named target, or to the first; without targets offers to take a message. */
function putThrough({ task, folded, heard, language }: Hearing): BuiltinAnswer {
  const targets = heard.tools.has('transfer_call') ? task.transfer_targets : []
  const named = targets.find(({ label }) => label !== '' && containsEntry(folded, [label]))
  const target = named ?? targets[0]
  if (target !== undefined) return act('transfer_call', { target_id: target.id })
  return {
    text: `${writeSentence(language, 'no_human')} ${writeSentence(language, 'ask_message')}`,
  }
}

/**
 * Takes the utterance after an offer to take a message as the message, unless it clearly is
 * something else.
 */
function takenMessage(hearing: Hearing): BuiltinAnswer | null {
  const { folded, cues, heard, language } = hearing
  const { before, said } = heard
  const offered =
    containsSentence(before, 'ask_message') || containsSentence(before, 'ask_message_again')
  if (!offered || folded === '') return null
  if (hasOnlyEntries(folded, cues.affirm, cues.thanks, cues.message) || isPlainYes(hearing)) {
    return { text: writeSentence(language, 'ask_message_again') }
  }
  if (hasOnlyEntries(folded, cues.deny, cues.thanks))
    return { text: writeSentence(language, 'message_dropped') }
  if (isNameAlone(hearing)) return { text: writeSentence(language, 'ask_message_rest') }
  const has_number = said.replace(/\D/g, '').length >= DIGITS_OF_A_PHONE_NUMBER
  const is_question = said.trim().endsWith('?') || known(hearing, { sure_only: true }) !== null
  return has_number || !is_question ? act('take_message', { text: said.trim() }) : null
}

/** Completes a message that began with a name only. */
function restOfMessage({ folded, cues, heard }: Hearing): BuiltinAnswer | null {
  const { before, earlier, said } = heard
  if (!containsSentence(before, 'ask_message_rest') || folded === '') return null
  if (said.trim().endsWith('?')) return null
  const is_all = hasOnlyEntries(folded, cues.deny, cues.thanks, cues.goodbye)
  const parts = is_all ? [earlier] : [earlier, said]
  return act('take_message', { text: parts.map((part) => part.trim()).join(', ') })
}

const particles = /^(?:van|de|den|der|von|zu|le|la|du|di|da|del)$/

/**
 * Whether the utterance is only a name, as in "Marie Dupont" or "my name is Marie": capitalized
 * words.
 */
function isNameAlone({ folded, cues, heard }: Hearing): boolean {
  const introduction = cues.introduction
    .map(fold)
    .filter((entry) => folded.startsWith(`${entry} `))
    .toSorted((a, b) => b.length - a.length)[0]
  const left = introduction === undefined ? folded : folded.slice(introduction.length + 1)
  const count = left.split(' ').length
  const words = heard.said
    .trim()
    .replace(/(?<![.,!])[.,!]+$/, '')
    .split(/\s+/)
    .slice(-count)
  const is_name = words.every((word) => /^\p{Lu}[\p{L}'’-]+$/u.test(word) || particles.test(word))
  const is_short = count <= NAME_WORDS_MAX && (count > 1 || introduction !== undefined)
  return is_short && is_name
}

/** Answers "Do you speak German?", unless a fact answers it better. */
function spokenLanguage(hearing: Hearing): BuiltinAnswer | null {
  const { task, heard, language } = hearing
  const asked = findRequestedLanguage(heard.said)
  if (asked === null) return null
  const sure = known(hearing, { sure_only: true })
  if (sure !== null) return sure
  const spoken = languageOf(asked)
  if (spoken !== null)
    return { text: `${writeSentence(spoken, 'speaks')} ${writeSentence(spoken, 'help')}` }
  const names = nameLanguages(task.languages, language)
  return {
    text: `${writeSentence(language, 'speaks_only', { languages: names })} ${writeSentence(language, 'help')}`,
  }
}

/** Handles yes or no after "do you mean …?" or "shall I put you through?". */
function replyToQuestion(hearing: Hearing, read = readYesOrNo): BuiltinAnswer | null {
  const { task, heard, language } = hearing
  const offered = containsSentence(heard.before, 'offer_person')
  if (!offered && !asksBack(heard.before)) return null
  const answered = read(heard.said, language)
  if (answered === null) return null
  if (offered) {
    return answered === 'yes'
      ? putThrough(hearing)
      : { text: writeSentence(language, 'message_dropped') }
  }
  const title = findLastQuote(heard.before)
  const meant = task.passages.find((passage) => passage.title === title)
  if (answered === 'yes') return meant ? { text: quotePassage(meant, language) } : null
  // "No, I want to know …" asks another question.
  const questions = task.questions?.map(({ text, passages }) => {
    return { text, passages: passages.filter((passage) => passage.title !== title) }
  })
  const passages = task.passages.filter((passage) => passage !== meant)
  const asks_else = saysMoreThanYesOrNo(heard.said, language)
  const other =
    asks_else &&
    known(
      { ...hearing, task: { ...task, passages, ...(questions && { questions }) } },
      { sure_only: true },
    )
  if (other) return other
  return { text: `${writeSentence(language, 'unknown')} ${writeSentence(language, 'ask_message')}` }
}

function asksBack(text: string): boolean {
  return containsSentence(text, 'did_you_mean') || containsSentence(text, 'yes_or_no')
}

/** Repeats "do you mean …?" once after an unclear answer. */
function askAgain({ heard, language, folded }: Hearing): BuiltinAnswer | null {
  const title = findLastQuote(heard.before)
  const is_short = folded.split(' ').length <= UNCLEAR_WORDS_MAX && !heard.said.includes('?')
  if (!is_short || title === null || !containsSentence(heard.before, 'did_you_mean')) return null
  return { text: writeSentence(language, 'yes_or_no', { titles: quoteText(title) }) }
}

/**
 * Takes a message that the caller leaves without being asked: "can you tell the owner that I will
 * be late?"
 */
function messageAtOnce(hearing: Hearing): BuiltinAnswer | null {
  const { heard, language } = hearing
  const given = containsInjection(heard.said) ? null : findUnpromptedMessage(heard.said, language)
  if (given === null) return null
  const may_ask = given === 'likely' || asksWhere(hearing)
  const has_answer = may_ask && known(hearing, { sure_only: true }) !== null
  return has_answer ? null : act('take_message', { text: heard.said.trim() })
}

/** Whether the text asks a question besides a message to pass on: "where do I report that?" */
function asksWhere({ heard, language }: Hearing): boolean {
  return askedTypes(heard.said, language).length > 0
}

function askForMessage({ folded, cues, language }: Hearing): BuiltinAnswer | null {
  return containsEntry(folded, cues.message)
    ? { text: writeSentence(language, 'ask_message_again') }
    : null
}

/**
 * Replies calmly to an insult and offers a transfer, unless the utterance contains a question,
 * which is answered.
 */
function calm(hearing: Hearing): BuiltinAnswer | null {
  const { heard, language } = hearing
  if (!isAbusive(heard.said, language) || known(hearing, { sure_only: true })) return null
  const offer = heard.tools.has('transfer_call') ? 'offer_person' : 'ask_message'
  return { text: `${writeSentence(language, 'calm')} ${writeSentence(language, offer)}` }
}

/** Whether the utterance only confirms: "Yes, that is right". */
function isPlainYes({ folded, cues, heard, language }: Hearing): boolean {
  if (hasOnlyEntries(folded, cues.affirm)) return true
  return readYesOrNo(heard.said, language) === 'yes' && !saysMoreThanYesOrNo(heard.said, language)
}

function smallTalk(hearing: Hearing): BuiltinAnswer | null {
  const { task, folded, cues, language, heard } = hearing
  const { affirm, deny, greeting, how_are_you, identity, thanks } = cues
  if (folded === '') return { text: writeSentence(language, 'say_again') }
  const spoken = spokenLanguage(hearing)
  if (spoken !== null) return spoken
  if (containsEntry(folded, identity)) {
    return { text: writeSentence(language, 'identity', { name: task.assistant_name }) }
  }
  if (containsEntry(folded, how_are_you) && hasOnlyEntries(folded, how_are_you, greeting, thanks)) {
    return { text: writeSentence(language, 'small_talk') }
  }
  if (hasOnlyEntries(folded, greeting)) return { text: writeSentence(language, 'help') }
  const confirms = isOfferOfMore(heard.before) || !hasOnlyEntries(folded, affirm)
  if (confirms && isPlainYes(hearing)) return { text: writeSentence(language, 'help') }
  if (!hasOnlyEntries(folded, affirm, deny, thanks, greeting)) return null
  const is_thanks = containsEntry(folded, thanks) && !containsEntry(folded, deny)
  return { text: writeSentence(language, is_thanks ? 'welcome' : 'message_dropped') }
}

function known(
  { task, heard, language }: Hearing,
  { sure_only = false } = {},
): BuiltinAnswer | null {
  if (containsInjection(heard.said)) return null
  const { said, earlier } = heard
  const text = answerFromKnowledge({ task, said, earlier, language }, sure_only)
  return text === null ? null : { text }
}

/**
 * Answers from a fact. If the fact lacks a word of the question, a record that the caller named takes
 * precedence: a similar fact may be about another product.
 */
function factOrRecord(hearing: Hearing): BuiltinAnswer | null {
  const { task, heard, language } = hearing
  const fact = known(hearing)
  const { said, earlier } = heard
  if (fact === null || isCovered({ task, said, earlier, language })) return fact
  return answerByLookUp(hearing) ?? fact
}

/** Replies to an introduction without a question: "Hello, this is Jo". */
function introduction({ folded, cues, heard, language }: Hearing): BuiltinAnswer | null {
  const is_short = folded.split(' ').length <= INTRODUCTION_WORDS_MAX
  const rest = `${removeEntries(folded, cues.greeting)} `
  const gives_name = cues.introduction.some((entry) => rest.startsWith(`${fold(entry)} `))
  const is_plain = is_short && gives_name && !heard.said.includes('?')
  return is_plain ? { text: writeSentence(language, 'help') } : null
}

/** Requests look-ups, or answers from their results; null if neither is possible. */
function answerByLookUp({ task, heard }: Hearing): BuiltinAnswer | null {
  if (containsInjection(heard.said)) return null
  if (task.found !== undefined) {
    const text = describeFound(task.found, heard.said)
    return text === null ? null : { text }
  }
  const look_ups = heard.tools.has('look_up') ? listLookUps(task, heard.said) : []
  return look_ups.length > 0 ? { text: '', look_ups } : null
}

/** Offers to take a message if no record answers the question. */
function lookUpOrOffer(hearing: Hearing): BuiltinAnswer {
  const { language } = hearing
  const told = answerByLookUp(hearing)
  if (told !== null) return told
  return { text: `${writeSentence(language, 'unknown')} ${writeSentence(language, 'ask_message')}` }
}

function act(name: ConversationTool, input: Record<string, string> = {}): BuiltinAnswer {
  return { text: '', tool: { name, input } }
}
