/**
 * Answers one question: stores the question, lets a language model or the search answer, and stores
 * the answer. One answer at a time in a conversation; a lease ends the wait for one whose process died.
 */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { PeopleStreamInput } from '../../../contract/operations/people-streams.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { modelName } from '../../../providers/model/model.ts'
import * as billing from '../../billing/service.ts'
import { ownerOf } from '../owner.ts'
import { presentConversation, presentMessage } from '../present.ts'
import * as proposals from '../proposals/store.ts'
import type { PortalAnswer, PortalForm, PortalQuestion, PortalSource } from '../schema.ts'
import * as store from '../store.ts'
import { find } from './find.ts'
import { writeHistory, writeInstructions } from './prompt.ts'
import { think, type Thought } from './think.ts'
import type { ToolUse } from './tools.ts'
import { canUseModel } from './model-use.ts'

const TITLE_CHARACTERS = 80
const HISTORY_MAX = 30

export interface Asked {
  caller: MemberCaller
  question: PortalQuestion
  flow: PeopleStreamInput
  send(name: string, data: object): void
}

type Answered = Pick<store.MessageRow, 'text' | 'made_by' | 'state' | 'model' | 'cost_micro'> & {
  sources: readonly PortalSource[]
  form: PortalForm | null
}

export async function answer(asked: Asked): Promise<PortalAnswer> {
  const { caller, send } = asked
  const { runtime } = caller
  const { conversation, question } = await begin(asked)
  const shown = presentMessage(runtime, question, [])
  const use: ToolUse = {
    conversation_id: conversation.id,
    message_id: newId(runtime.clock),
    sources: [],
    proposals: [],
  }
  send('message.started', {
    conversation: presentConversation(runtime, conversation),
    question: shown,
  })
  const answered = await answerQuestion(asked, use).catch(async (error: unknown) => {
    await release(caller, conversation.id)
    throw error
  })
  const message = {
    ...answered,
    sources: JSON.stringify(answered.sources),
    form: answered.form && JSON.stringify(answered.form),
    project_id: caller.project.id,
    conversation_id: conversation.id,
    id: use.message_id,
    role: 'assistant' as const,
    created_at: runtime.clock.now(),
  }
  const written = await runtime.db.transact((tx) =>
    store.addMessage(tx, { message: message, answering_until: null }),
  )
  const of = { project_id: caller.project.id, id: conversation.id }
  const rows = await proposals.list(caller.db, of)
  const done = {
    conversation: presentConversation(runtime, written ?? conversation),
    question: shown,
    answer: presentMessage(runtime, message, rows),
  }
  send('message.completed', done)
  return done
}

/** Stores the question and takes the lease of the answer. */
function begin({ caller, question }: Asked) {
  const { runtime } = caller
  const owner = ownerOf(caller)
  const now = runtime.clock.now()
  return runtime.db.transact(async (tx) => {
    const conversation = question.conversation_id
      ? await store.lock(tx, { ...owner, id: question.conversation_id })
      : await create(caller, question, tx)
    if (!conversation) throw new Problem('not_found', 'There is no conversation with this id.')
    if (conversation.answering_until && conversation.answering_until > now) throw busy()
    if (conversation.messages + 2 > limits.portal_messages_max) throw isFull()
    const message: store.MessageRow = {
      project_id: owner.project_id,
      conversation_id: conversation.id,
      id: newId(runtime.clock),
      role: 'person',
      made_by: 'person',
      state: 'complete',
      text: question.text.trim(),
      sources: '[]',
      form: null,
      model: null,
      cost_micro: 0n,
      created_at: now,
    }
    const answering_until = new Date(now.getTime() + limits.portal_answer_s * 1000)
    const changed = await store.addMessage(tx, { message: message, answering_until })
    return { conversation: changed ?? conversation, question: message }
  })
}

async function create(
  caller: MemberCaller,
  { text }: PortalQuestion,
  tx: Parameters<typeof store.insert>[0],
): Promise<store.ConversationRow> {
  const { clock } = caller.runtime
  const owner = ownerOf(caller)
  const now = clock.now()
  await store.deleteOldest(tx, owner, limits.portal_conversations_max - 1)
  return store.insert(tx, {
    ...owner,
    id: newId(clock),
    title: text.trim().replaceAll(/\s+/g, ' ').slice(0, TITLE_CHARACTERS),
    messages: 0,
    created_at: now,
    last_message_at: now,
    answering_until: null,
  })
}

async function release(caller: MemberCaller, id: string): Promise<void> {
  await caller.runtime.db.transact((tx) => store.release(tx, { ...ownerOf(caller), id }))
}

async function answerQuestion(asked: Asked, use: ToolUse): Promise<Answered> {
  const { caller, question } = asked
  const { language = 'en' } = question
  const today = billing.toDay(caller.runtime.clock.now(), caller.runtime.config.billing_timezone)
  const search = { text: question.text, language, today }
  if (!canUseModel(caller)) return toFound(await find(caller, search))
  const thought = await thinkAbout(asked, use, today)
  const model = modelName(caller.runtime.config.model)
  const common = { model, sources: use.sources, cost_micro: thought.cost_micro, form: null }
  if (thought.ended_by === null)
    return { ...common, text: thought.text, made_by: 'model', state: 'complete' }
  if (asked.flow.signal.aborted)
    return { ...common, text: thought.text, made_by: 'model', state: 'stopped' }
  const { runtime } = caller
  runtime.log.warn({ err: thought.ended_by }, 'the language model did not finish an answer')
  const found = await find(await asked.flow.recheck(), search)
  return {
    ...common,
    text: `${thought.text}\n\n${failures[language]} ${reasonOf(thought)}${found.text}`.trim(),
    sources: [...use.sources, ...found.sources],
    form: found.form,
    made_by: 'model',
    state: 'failed',
  }
}

const failures = {
  en: 'The language model did not finish its answer, so I searched instead.',
  nl: 'Het taalmodel maakte zijn antwoord niet af, dus heb ik gezocht.',
} as const

/**
 * The sentence for the person if the balance refused the request; empty for faults of the model.
 */
function reasonOf({ ended_by }: Thought): string {
  if (!(ended_by instanceof Problem)) return ''
  return `${ended_by.extra.user_message ?? ended_by.detail} `
}

function toFound(found: Awaited<ReturnType<typeof find>>): Answered {
  return { ...found, made_by: 'search', state: 'complete', model: null, cost_micro: 0n }
}

async function thinkAbout(
  { caller, question, flow, send }: Asked,
  use: ToolUse,
  today: string,
): Promise<Thought> {
  const { page = null, language = 'en' } = question
  const of = { project_id: caller.project.id, id: use.conversation_id }
  const messages = await store.listMessages(caller.db, { ...of, count: HISTORY_MAX })
  const time = AbortSignal.timeout(limits.portal_answer_s * 1000 - MARGIN_MS)
  let length = 0
  return think({
    use,
    instructions: writeInstructions({ caller, page, language, today }),
    history: writeHistory(messages, await proposals.list(caller.db, of)),
    signal: AbortSignal.any([flow.signal, time]),
    recheck: flow.recheck,
    onText(text) {
      send('message.delta', { at: length, text })
      length += text.length
    },
    onTool: (name) => send('message.tool', { name }),
  })
}

/** Time between the last moment of an answer and the end of its lease, to store it. */
const MARGIN_MS = 15_000

function busy(): Problem {
  return new Problem('conversation_busy', 'The assistant still answers the message before.')
}

function isFull(): Problem {
  const user_message = 'This conversation has become too long. Start a new one.'
  return new Problem('conflict', user_message, { user_message, next_step: user_message })
}
