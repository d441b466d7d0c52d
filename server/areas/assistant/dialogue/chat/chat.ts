/**
 * One reply of a text chat, with the same knowledge and model as a call. The model is asked twice at
 * most; if it fails, the built-in model replies from the same knowledge. Nothing is stored or paid
 * here.
 */
import { findEmergency } from '../../../../providers/model/builtin/intents.ts'
import type { Language } from '../../../../providers/model/language/language.ts'
import {
  containsSentence,
  quoteText,
  writeSentence,
} from '../../../../providers/model/language/speech.ts'
import { BUILTIN, modelOf } from '../../../../providers/model/model.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import { cutText } from '../../../../kernel/values/cut-text.ts'
import type { ReportedUsage, RequestSize } from '../../costs/tokens.ts'
import type { RetrievedKnowledge } from '../../knowledge/retrieval.ts'
import type { Profile } from '../../profile.ts'
import { writeChatSentence } from './sentences.ts'
import {
  listUsedPassages,
  nameSources,
  type CitedSource,
  type UsedPassage,
} from '../cited-sources.ts'
import {
  actionOf,
  knowledgeOf,
  lastOf,
  markdownLink,
  messagesOf,
  type DialogueAction,
  type DialogueTurn,
} from '../dialogue.ts'
import { findEmergencyAdvice } from '../emergency-number.ts'
import { askWithTools } from '../ask-with-tools.ts'
import { BrokenStream, type GeneratedAnswer, type ModelRequest } from '../generate.ts'
import { writeInstructions } from '../instructions.ts'
import { createGrowingGuard, createOrderGuard } from '../owner-orders.ts'
import {
  createToolRunner,
  type ToolRecord,
  type ToolRunner,
  type ToolScope,
} from '../../tools/run-tools.ts'
import type { AnswerTask } from '../../../../providers/model/builtin/knowledge.ts'

export interface ChatQuestion {
  project_id: string
  profile: Profile
  /** The conversation so far; the last turn is the visitor's. */
  turns: readonly DialogueTurn[]
  language: Language
  /** Number of consecutive replies without an answer before this one. */
  no_answers: number
  tools: Pick<ToolScope, 'test' | 'countUses' | 'settings'>
  signal: AbortSignal
  /** Called repeatedly with the whole text so far; a fallback model starts a new text. */
  onText?(text: string): void
}

export type AnswerKind = 'model' | 'extracted' | 'suggestion' | 'handoff' | 'fallback'

export interface ChatAnswer {
  text: string
  kind: AnswerKind
  sources: CitedSource[]
  /** The name of the model that wrote the text. */
  model: string
  /** The reason to hand the conversation over to a person; null if there is none. */
  handoff: 'visitor' | 'no_answer' | null
  /** The text of a message for the business; null if there is none. */
  message: string | null
  has_no_answer: boolean
  /** The tools that the model used, and those that it was refused. */
  tools: readonly ToolRecord[]
  /**
   * The request to a configured model, to charge it; also if it failed after its start. Null: no
   * charge.
   */
  request: { reported: ReportedUsage | null; size: RequestSize } | null
}

const ATTEMPTS_MAX = 2
const ATTEMPT_MS = 20_000
const TEXT_CHARACTERS_MAX = 4_000
/**
 * Consecutive replies without an answer, after which the conversation is handed over to a person.
 */
const NO_ANSWERS_MAX = 2

/** A chat can always be handed over: people read it in the portal. */
const targets = [{ id: 'team', label: '', e164: '', when: null }]

export async function answerChat(runtime: Runtime, question: ChatQuestion): Promise<ChatAnswer> {
  const { language, onText } = question
  const emergency = findEmergency(lastOf(question).said, language)
  const advice = findEmergencyAdvice({
    said: lastOf(question).said,
    language,
    called: '',
    instructions: question.profile.instructions,
  })
  const { number } = advice
  if (emergency?.kind === 'danger')
    return fixed(advice.sentence ?? writeChatSentence(language, 'emergency', { number }))
  const task = await knowledgeOf(runtime, {
    ...question,
    targets,
    lookups: question.tools.settings.lookups,
  })
  const { project_id, profile } = question
  const runner = createToolRunner(runtime, { ...question.tools, project_id, hours: profile })
  const quotesOrder = createOrderGuard(profile.instructions)
  const guarded = { runner, quotesOrder }
  const { answer, model, request } = await ask(runtime, { ...question, ...guarded }, task)
  const is_fallback = request.has_failed
  const read = readAnswer(answer, { question, task, model, is_fallback, ...guarded })
  const is_told = model !== BUILTIN && quotesOrder(read.text)
  const reply = is_told ? withoutAnswer(language, false) : read
  const urgent = emergency ? `${writeChatSentence(language, 'urgent', { number })} ` : ''
  const text = cutText(`${urgent}${reply.text}`, TEXT_CHARACTERS_MAX)
  onText?.(text)
  const sources = await nameSources(runtime.db, question.project_id, reply.sources)
  return { ...reply, text, sources, model, request: request.spent, tools: runner.records }
}

function fixed(text: string): ChatAnswer {
  const nothing = { sources: [], handoff: null, message: null, request: null, tools: [] }
  return { ...nothing, text, kind: 'extracted', model: BUILTIN, has_no_answer: false }
}

interface Asked {
  answer: Pick<GeneratedAnswer, 'text' | 'tools'>
  model: string
  request: { has_failed: boolean; spent: ChatAnswer['request'] }
}

/** The checks on the tools and the text of a model. */
interface Guarded {
  runner: ToolRunner
  quotesOrder(text: string): boolean
}

async function ask(
  runtime: Runtime,
  question: ChatQuestion & Guarded,
  task: AnswerTask,
): Promise<Asked> {
  const { profile, turns, signal, project_id, runner } = question
  const model = modelOf(runtime.config.model, profile.model)
  const now = runtime.clock.now()
  const instructions = writeInstructions({ profile, task, now, extra: null, channel: 'chat' })
  const messages = messagesOf(turns)
  const request = { instructions, messages, task, signal, model, spender: null }
  const options = { is_chat: true, runner }
  const builtin = () => askWithTools(runtime, { ...request, model: BUILTIN }, options)
  if (model === BUILTIN) {
    return { answer: await builtin(), model, request: { has_failed: false, spent: null } }
  }
  const asked = await askTwice(runtime, question, request)
  if ('text' in asked) {
    return { answer: asked, model, request: { has_failed: false, spent: asked } }
  }
  runtime.log.warn({ err: asked.error, project_id }, 'the language model did not answer a chat')
  const spent = asked.size && { reported: null, size: asked.size }
  return { answer: await builtin(), model: BUILTIN, request: { has_failed: true, spent } }
}

interface Failed {
  error: unknown
  /** The size of what was generated before the failure; null if nothing was. */
  size: RequestSize | null
}

/**
 * Sends the request up to `ATTEMPTS_MAX` times, but not again after the model has produced text, because
 * the provider charges for that.
 */
async function askTwice(
  runtime: Runtime,
  { signal, onText, runner, quotesOrder }: ChatQuestion & Guarded,
  request: ModelRequest<AnswerTask>,
): Promise<GeneratedAnswer | Failed> {
  let failed: Failed = { error: null, size: null }
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)])
    const quotesOrderSoFar = createGrowingGuard(quotesOrder)
    const show = (text: string) => {
      if (!quotesOrderSoFar(text)) onText?.(clean(text))
    }
    const options = { is_chat: true, runner, ...(onText && { onText: show }) }
    try {
      const answer = await askWithTools(runtime, { ...request, signal: limited }, options)
      if (answer.text.trim() !== '' || answer.tools.length > 0) return answer
      return { error: new Error('The model gave an empty answer.'), size: answer.size }
    } catch (error) {
      const size = error instanceof BrokenStream ? error.size : null
      failed = { error, size }
      if (size !== null || signal.aborted || isRefused(error)) return failed
    }
  }
  return failed
}

/** Whether the provider would refuse the same request again. */
function isRefused(error: unknown): boolean {
  const status: unknown = Object(error).statusCode
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 429
}

function kindOf(model: string): AnswerKind {
  return model === BUILTIN ? 'extracted' : 'model'
}

/** An answer whose sources are not looked up yet. */
interface ReadAnswer extends Omit<ChatAnswer, 'model' | 'request' | 'sources' | 'tools'> {
  sources: UsedPassage[]
}

interface Reading extends Guarded {
  question: ChatQuestion
  task: RetrievedKnowledge
  model: string
  is_fallback: boolean
}

function readAnswer(
  { text: generated, tools }: Asked['answer'],
  { question, task, model, is_fallback, runner }: Reading,
): ReadAnswer {
  const { language, no_answers, turns } = question
  // The built-in model quotes, and the sources of a quotation are found by its words.
  const text = model === BUILTIN ? trim(generated) : clean(generated)
  const plain = { sources: [], handoff: null, message: null, has_no_answer: false }
  const kind = is_fallback ? 'fallback' : kindOf(model)
  const is_unanswered =
    tools.some(({ name }) => name === 'no_answer') || containsSentence(text, 'unknown')
  // No further message can be taken, so the conversation is handed over to a person.
  const is_limited = runner.records.some(
    ({ name, outcome }) => name === 'take_message' && outcome === 'limit',
  )
  const hands_off = no_answers + 1 >= NO_ANSWERS_MAX || is_limited
  if (is_unanswered) return withoutAnswer(language, hands_off)
  for (const { name, input } of tools) {
    const action = actionOf(name, input, { turns, targets })
    if (action) return { ...plain, kind, ...readAction(action, text, language) }
  }
  if (text === '' || is_limited) return withoutAnswer(language, hands_off)
  const is_suggestion = model === BUILTIN && containsSentence(text, 'did_you_mean')
  const sources = is_suggestion ? [] : listUsedPassages(task.passages, text, model === BUILTIN)
  return { ...plain, text, kind: is_suggestion ? 'suggestion' : kind, sources }
}

function readAction(
  action: DialogueAction,
  text: string,
  language: Language,
): Pick<ChatAnswer, 'text'> & Partial<Pick<ChatAnswer, 'kind' | 'handoff' | 'message'>> {
  switch (action.kind) {
    case 'transfer': {
      const sentence = writeChatSentence(language, 'handed_off')
      return { text: sentence, kind: 'handoff', handoff: 'visitor' }
    }
    case 'message': {
      const quoted = quoteText(action.text)
      const noted = writeSentence(language, 'message_taken', { text: quoted })
      return { text: noted, message: action.text }
    }
    case 'end':
      return { text: text || writeSentence(language, 'goodbye') }
  }
}

function withoutAnswer(language: Language, hands_off: boolean): ReadAnswer {
  const nothing = { sources: [], message: null, has_no_answer: true }
  const unknown = writeSentence(language, 'unknown')
  if (hands_off) {
    const text = `${unknown} ${writeChatSentence(language, 'handed_off')}`
    return { ...nothing, text, kind: 'handoff', handoff: 'no_answer' }
  }
  const text = `${unknown} ${writeSentence(language, 'ask_message')}`
  return { ...nothing, text, kind: 'fallback', handoff: null }
}

/** Plain text: models write Markdown even if they are told not to, and a chat shows it as it is. */
function clean(text: string): string {
  return trim(text)
    .replaceAll(markdownLink, '$1 ($2)')
    .replaceAll(/\*\*|^#{1,6} /gm, '')
}

function trim(text: string): string {
  return cutText(text.replaceAll(/[^\S\n]+/g, ' ').trim(), TEXT_CHARACTERS_MAX)
}
