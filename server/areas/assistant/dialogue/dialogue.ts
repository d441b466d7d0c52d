/**
 * Dialogue engine: finds relevant knowledge for the caller's last turn, asks the language model,
 * and returns speech with at most one action. If the model fails, the built-in one takes messages
 * and ends calls.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  answerCaller,
  type BuiltinAnswer,
} from '../../../providers/model/builtin/builtin-answer.ts'
import type { AnswerTask } from '../../../providers/model/builtin/knowledge.ts'
import type { Language } from '../../../providers/model/language/language.ts'
import { findEmergency, type Emergency } from '../../../providers/model/builtin/intents.ts'
import { quoteText, writeSentence } from '../../../providers/model/language/speech.ts'
import { detectLanguage } from '../../../providers/model/language/words.ts'
import type { RelayTarget } from '../../../providers/voice/relay.ts'
import { findEmergencyNumber } from './emergency-number.ts'
import { generateAnswer, type GeneratedAnswer, type ModelMessage } from './generate.ts'
import { writeInstructions } from './instructions.ts'
import type { Profile } from '../profile.ts'
import { retrieveKnowledge, type RetrievedKnowledge } from '../knowledge/retrieval.ts'
import type { TestCall } from '../test-replies/pay.ts'

export interface DialogueTurn {
  role: 'caller' | 'assistant'
  text: string
}

export interface DialogueInput {
  project_id: string
  profile: Profile
  /** The transcript so far; the last turn is the caller's. */
  turns: readonly DialogueTurn[]
  language: Language
  /** The called number in E.164. */
  called: string
  /** Appended to the owner's instructions. */
  extra: string | null
  targets: readonly RelayTarget[]
  signal: AbortSignal
  /** The test call of this conversation; null if it is not a test call. */
  test_call: TestCall | null
}

export type DialogueAction =
  | { kind: 'end' }
  | { kind: 'transfer'; target: RelayTarget }
  | { kind: 'message'; text: string }

export interface SpokenReply {
  text: string
  language: string
  action: DialogueAction | null
}

export interface DialogueReply extends SpokenReply {
  /** What was given to the model; null if no model was asked. */
  knowledge: RetrievedKnowledge | null
}

const TURNS_MAX = 40
const MESSAGE_CHARACTERS_MAX = 1_000
const SPOKEN_CHARACTERS_MAX = 1_500

export async function replyToCaller(
  runtime: Runtime,
  conversation: DialogueInput,
): Promise<DialogueReply> {
  const { language } = conversation
  const emergency = findEmergency(lastOf(conversation).said, language)
  if (emergency?.kind === 'danger') return sendForHelp(conversation, emergency)
  const answered = await replyOfModel(runtime, conversation)
  if (emergency === null) return answered
  const warning = sendForHelp(conversation, emergency)
  return { ...answered, text: `${warning.text} ${answered.text}` }
}

/** Emergencies bypass the language model: the caller hears the emergency number at once. */
function sendForHelp({ called }: DialogueInput, { kind, language }: Emergency): DialogueReply {
  const sentence = kind === 'danger' ? 'emergency' : 'urgent'
  return {
    text: writeSentence(language, sentence, { number: findEmergencyNumber(called) }),
    language,
    action: null,
    knowledge: null,
  }
}

async function replyOfModel(runtime: Runtime, conversation: DialogueInput): Promise<DialogueReply> {
  const { project_id, language, signal, test_call } = conversation
  const task = await knowledgeOf(runtime, conversation)
  const messages = messagesOf(conversation.turns)
  const { profile, extra } = conversation
  const instructions = writeInstructions({ profile, task, now: runtime.clock.now(), extra })
  try {
    const request = { instructions, messages, task, signal, test_call }
    const generated = await generateAnswer(runtime, request)
    return { ...replyFrom(generated, conversation), knowledge: task }
  } catch (error) {
    runtime.log.warn({ err: error, project_id }, 'the language model did not answer')
    return { ...replyWithout(conversation, task, language), knowledge: null }
  }
}

async function knowledgeOf(runtime: Runtime, conversation: DialogueInput): Promise<AnswerTask> {
  const { project_id, profile, language, targets, turns } = conversation
  const moment = { project_id, profile, language, ...lastOf(conversation) }
  const opening = turns.slice(
    0,
    turns.findIndex((turn) => turn.role === 'caller'),
  )
  return {
    task: 'answer',
    language,
    languages: profile.languages,
    assistant_name: profile.name,
    opening: opening.map((turn) => turn.text).join(' '),
    transfer_targets: targets.map(({ id, label, when }) => ({ id, label, when })),
    ...(await retrieveKnowledge(runtime, moment)),
  }
}

function lastOf({ turns }: DialogueInput): { said: string; before: string; earlier: string } {
  const at = turns.findLastIndex((turn) => turn.role === 'caller')
  const past = turns.slice(0, Math.max(at, 0))
  return {
    said: turns[at]?.text ?? '',
    before: past.findLast((turn) => turn.role === 'assistant')?.text ?? '',
    earlier: past.findLast((turn) => turn.role === 'caller')?.text ?? '',
  }
}

/**
 * The latest turns, starting with one of the caller. Consecutive turns of one speaker are merged.
 */
function messagesOf(turns: readonly DialogueTurn[]): ModelMessage[] {
  const recent = turns.slice(-TURNS_MAX)
  const messages: ModelMessage[] = []
  for (const { role, text } of recent.slice(recent.findIndex((turn) => turn.role === 'caller'))) {
    const last = messages.at(-1)
    const speaker = role === 'caller' ? 'user' : 'assistant'
    if (last?.role === speaker) last.content += ` ${text}`
    else messages.push({ role: speaker, content: text })
  }
  return messages
}

function replyFrom({ text, tools }: GeneratedAnswer, conversation: DialogueInput): SpokenReply {
  const { language } = conversation
  const spoken = speakable(text)
  for (const { name, input } of tools) {
    const action = actionOf(name, input, conversation)
    if (action !== null) return { action, language, text: announce(action, spoken, language) }
  }
  if (spoken === '') throw new Error('The model gave an empty answer.')
  return { text: spoken, language: detectLanguage(spoken) ?? language, action: null }
}

function actionOf(
  name: string,
  input: unknown,
  conversation: DialogueInput,
): DialogueAction | null {
  const { targets } = conversation
  if (name === 'end_call') return { kind: 'end' }
  if (name === 'transfer_call') {
    const id = textOf(input, 'target_id')
    const target = targets.find((one) => one.id === id) ?? targets[0]
    return target ? { kind: 'transfer', target } : null
  }
  if (name !== 'take_message') return null
  const text = textOf(input, 'text').trim() || lastOf(conversation).said
  return { kind: 'message', text: text.slice(0, MESSAGE_CHARACTERS_MAX) }
}

function textOf(input: unknown, field: string): string {
  if (typeof input !== 'object' || input === null) return ''
  const value: unknown = Object.entries(input).find(([name]) => name === field)?.[1]
  return typeof value === 'string' ? value : ''
}

/**
 * Returns the text to speak for an action. Taking a message is confirmed with a fixed phrase that
 * quotes it, so that the caller, the transcript and the summary have the noted text.
 */
function announce(action: DialogueAction, spoken: string, language: Language): string {
  switch (action.kind) {
    case 'message':
      return writeSentence(language, 'message_taken', { text: quoteText(action.text) })
    case 'transfer':
      return writeSentence(language, 'connecting')
    case 'end':
      return spoken || writeSentence(language, 'goodbye')
  }
}

/** Replies if the model failed: the built-in model takes a message, transfers or ends the call. */
function replyWithout(
  conversation: DialogueInput,
  task: AnswerTask,
  language: Language,
): SpokenReply {
  const tools = new Set([
    'end_call',
    'take_message',
    ...(conversation.targets.length > 0 ? ['transfer_call'] : []),
  ])
  const { tool }: BuiltinAnswer = answerCaller(
    { ...task, passages: [] },
    { ...lastOf(conversation), tools },
  )
  if (tool) return replyFrom({ text: '', tools: [tool] }, conversation)
  const text = `${writeSentence(language, 'trouble')} ${writeSentence(language, 'ask_message')}`
  return { text, language, action: null }
}

/** Text for speech synthesis: without Markdown, and of limited length. */
function speakable(text: string): string {
  const plain = text
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/\[([^\]]{1,200})\]\((?:[^()\s]{1,500})\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|[-*•]|\d+\.)\s+/gm, '')
    .replace(/[*_`#]{1,3}/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain.length <= SPOKEN_CHARACTERS_MAX) return plain
  const cut = plain.slice(0, SPOKEN_CHARACTERS_MAX)
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('? '), cut.lastIndexOf('! '))
  return end > 0 ? cut.slice(0, end + 1) : cut
}
