/**
 * Dialogue engine: finds relevant knowledge for the caller's last turn, asks the language model,
 * and returns speech with at most one action. If the model fails, the built-in one takes messages
 * and ends calls.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'
import {
  answerCaller,
  type BuiltinAnswer,
} from '../../../providers/model/builtin/builtin-answer.ts'
import type { AnswerTask } from '../../../providers/model/builtin/knowledge.ts'
import type { Language } from '../../../providers/model/language/language.ts'
import { findEmergency, type Emergency } from '../../../providers/model/builtin/intents.ts'
import { quoteText, writeSentence } from '../../../providers/model/language/speech.ts'
import { detectLanguage } from '../../../providers/model/language/words.ts'
import { BUILTIN, modelOf } from '../../../providers/model/model.ts'
import type { RelayTarget } from '../../../providers/voice/relay.ts'
import { listUsedPassages, nameSources, type CitedSource } from './cited-sources.ts'
import { findEmergencyAdvice } from './emergency-number.ts'
import { generateAnswer } from './ask-with-tools.ts'
import type { GeneratedAnswer, ModelMessage } from './generate.ts'
import { createOrderGuard } from './owner-orders.ts'
import {
  createToolRunner,
  type ToolRecord,
  type ToolRunner,
  type ToolScope,
} from '../tools/run-tools.ts'
import type { Lookup } from '../tools/tool-settings.ts'
import { writeInstructions } from './instructions.ts'
import { completeMessage } from './whole-message.ts'
import type { Profile } from '../profile.ts'
import { retrieveKnowledge, type RetrievedKnowledge } from '../knowledge/retrieval.ts'
import type { Spender } from '../costs/spend.ts'

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
  tools: Pick<ToolScope, 'test' | 'countUses' | 'settings'>
  signal: AbortSignal
  /** The payer of model requests; null: they are not charged. */
  spender: Spender | null
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
  /** The sources of the answer; empty if the reply is not an answer. */
  sources: CitedSource[]
  /** The tools that the model used, and those that it was refused. */
  tools: readonly ToolRecord[]
  /** What was given to the model; null if no model was asked. */
  knowledge: RetrievedKnowledge | null
}

const TURNS_MAX = 40
/** Length of the turns that a model gets; about 8,000 tokens. */
const HISTORY_CHARACTERS_MAX = 24_000
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
function sendForHelp(conversation: DialogueInput, emergency: Emergency): DialogueReply {
  const { called, profile } = conversation
  const { kind, language } = emergency
  const { said } = lastOf(conversation)
  const { instructions } = profile
  const { number, sentence } = findEmergencyAdvice({ said, language, called, instructions })
  const standard = writeSentence(language, kind === 'danger' ? 'emergency' : 'urgent', { number })
  const text = sentence === null ? standard : `${sentence} ${standard}`
  return { text, language, action: null, knowledge: null, sources: [], tools: [] }
}

async function replyOfModel(runtime: Runtime, conversation: DialogueInput): Promise<DialogueReply> {
  const { project_id, language, signal, spender, tools } = conversation
  const { lookups } = tools.settings
  const task = await knowledgeOf(runtime, { ...conversation, lookups })
  const messages = messagesOf(conversation.turns)
  const { profile, extra } = conversation
  const instructions = writeInstructions({ profile, task, now: runtime.clock.now(), extra })
  const runner = createToolRunner(runtime, { ...tools, project_id, hours: profile })
  try {
    const model = modelOf(runtime.config.model, profile.model)
    const request = { instructions, messages, task, signal, model, spender }
    const generated = await generateAnswer(runtime, request, runner)
    const reply = guardReply(replyFrom(generated, conversation), { conversation, model })
    const used =
      reply.action === null ? listUsedPassages(task.passages, reply.text, model === BUILTIN) : []
    const sources = await nameSources(runtime.db, project_id, used)
    return { ...reply, knowledge: task, sources, tools: runner.records }
  } catch (error) {
    runtime.log.warn({ err: error, project_id }, 'the language model did not answer')
    const reply = replyWithout(conversation, { task, language, runner })
    return { ...reply, knowledge: null, sources: [], tools: runner.records }
  }
}

/** Replaces a reply that quotes an instruction of the owner. */
function guardReply(
  reply: SpokenReply,
  { conversation, model }: { conversation: DialogueInput; model: string },
): SpokenReply {
  const { profile, extra, language } = conversation
  if (model === BUILTIN) return reply
  if (!createOrderGuard(`${profile.instructions}\n${extra ?? ''}`)(reply.text)) return reply
  const text = `${writeSentence(language, 'unknown')} ${writeSentence(language, 'ask_message')}`
  return { text, language, action: null }
}

interface Asked extends Pick<
  DialogueInput,
  'project_id' | 'profile' | 'language' | 'targets' | 'turns'
> {
  lookups: readonly Lookup[]
}

/** The task of a model: what it knows about the last turn of the caller. */
export async function knowledgeOf(
  runtime: Runtime,
  conversation: Asked,
): Promise<AnswerTask & RetrievedKnowledge> {
  const { project_id, profile, language, targets, turns, lookups } = conversation
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
    collections: lookups.map(({ collection, fields, match }) => {
      return { name: collection, fields, match }
    }),
    ...(await retrieveKnowledge(runtime, moment)),
  }
}

export function lastOf({ turns }: Pick<DialogueInput, 'turns'>): {
  said: string
  before: string
  earlier: string
} {
  const at = turns.findLastIndex((turn) => turn.role === 'caller')
  const past = turns.slice(0, Math.max(at, 0))
  return {
    said: turns[at]?.text ?? '',
    before: past.findLast((turn) => turn.role === 'assistant')?.text ?? '',
    earlier: past.findLast((turn) => turn.role === 'caller')?.text ?? '',
  }
}

/**
 * The latest turns within the limits, starting with one of the caller. Consecutive turns of one
 * speaker are merged.
 */
export function messagesOf(turns: readonly DialogueTurn[]): ModelMessage[] {
  const recent = listRecent(turns)
  const messages: ModelMessage[] = []
  for (const { role, text } of recent.slice(recent.findIndex((turn) => turn.role === 'caller'))) {
    const last = messages.at(-1)
    const speaker = role === 'caller' ? 'user' : 'assistant'
    if (last?.role === speaker) last.content += ` ${text}`
    else messages.push({ role: speaker, content: text })
  }
  return messages
}

/** The newest turns whose text fits; at least the last. */
function listRecent(turns: readonly DialogueTurn[]): readonly DialogueTurn[] {
  const latest = turns.slice(-TURNS_MAX)
  let room = HISTORY_CHARACTERS_MAX
  const from = latest.findLastIndex(({ text }) => (room -= text.length) < 0) + 1
  return latest.slice(Math.min(from, latest.length - 1))
}

function replyFrom(
  { text, tools }: Pick<GeneratedAnswer, 'text' | 'tools'>,
  conversation: DialogueInput,
): SpokenReply {
  const { language } = conversation
  const spoken = speakable(text)
  for (const { name, input } of tools) {
    const action = actionOf(name, input, conversation)
    if (action !== null) return { action, language, text: announce(action, spoken, language) }
  }
  if (spoken === '') throw new Error('The model gave an empty answer.')
  return { text: spoken, language: detectLanguage(spoken) ?? language, action: null }
}

export function actionOf(
  name: string,
  input: unknown,
  conversation: Pick<DialogueInput, 'targets' | 'turns'>,
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
  return { kind: 'message', text: completeMessage(text, conversation.turns) }
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
  { task, language, runner }: { task: AnswerTask; language: Language; runner: ToolRunner },
): SpokenReply {
  const tools = new Set([
    'end_call',
    'take_message',
    ...(conversation.targets.length > 0 ? ['transfer_call'] : []),
  ])
  const { tool }: BuiltinAnswer = answerCaller(
    { ...task, passages: [], questions: [], collections: [] },
    { ...lastOf(conversation), tools },
  )
  const is_limited = runner.records.some(({ outcome }) => outcome === 'limit')
  if (tool && is_limited)
    return { text: writeSentence(language, 'message_dropped'), language, action: null }
  if (tool) return replyFrom({ text: '', tools: [tool] }, conversation)
  const text = `${writeSentence(language, 'trouble')} ${writeSentence(language, 'ask_message')}`
  return { text, language, action: null }
}

/** A link in Markdown: its text and its address. */
export const markdownLink = /\[([^[\]]{1,200})\]\(([^()\s]{1,500})\)/g

/** Text for speech synthesis: without Markdown, and of limited length. */
function speakable(text: string): string {
  const plain = text
    .replaceAll('\u0000', '')
    .toWellFormed()
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(markdownLink, '$1')
    .replace(/^[ \t]*(?:#{1,6}|[-*•]|\d+\.)\s+/gm, '')
    .replace(/[*_`#]{1,3}/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain.length <= SPOKEN_CHARACTERS_MAX) return plain
  const cut = cutText(plain, SPOKEN_CHARACTERS_MAX)
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('? '), cut.lastIndexOf('! '))
  return end > 0 ? cut.slice(0, end + 1) : cut
}
