/**
 * Asks the questions of the set over the text relay of calls, on a real server with one project for
 * each business. A visitor who is asked "do you mean …?" answers yes if the question has an answer,
 * and no otherwise.
 */
import { openRelay } from '../../server/areas/assistant/service.ts'
import { extractPagePassages } from '../../server/areas/assistant/knowledge/passages.ts'
import * as store from '../../server/areas/assistant/store.ts'
import type { RelayOut } from '../../server/providers/voice/relay.ts'
import type { TestRuntime } from '../../test/fixtures/runtime.ts'
import type { Business, Question } from './read-set.ts'
import { asksBack, hasAnswer, scoreReplies, type Reply, type Score } from './score.ts'

export interface Result extends Score {
  question: Question
  replies: readonly Reply[]
  time_ms: number
}

/** Ways to say yes and no; the questions take turns. */
const agreeing: Readonly<Record<string, readonly string[]>> = {
  nl: ['ja', 'ja graag', 'klopt', 'doe maar', 'jazeker', 'ja dat bedoel ik', 'precies', 'yes'],
  en: ['yes', 'yeah', 'yes please', 'that is right', 'exactly', 'sure', 'yep', 'go on then'],
  de: ['ja', 'genau', 'ja bitte', 'richtig', 'stimmt', 'ja genau', 'jo', 'gerne'],
}
const declining: Readonly<Record<string, string>> = {
  nl: 'nee, dat bedoel ik niet',
  en: "no, that's not what I mean",
  de: 'nein, das meine ich nicht',
}
const numbers: Readonly<Record<string, string>> = {
  nl: '+31201234567',
  en: '+442079460118',
  de: '+49301234567',
}

/** The language of the business, then that of the visitor, as for a caller. */
export async function askAll(
  server: TestRuntime,
  questions: readonly Question[],
): Promise<Result[]> {
  const projects = new Map<Business['id'], string>()
  const results: Result[] = []
  for (const [nth, question] of questions.entries()) {
    const { business } = question
    const project_id = projects.get(business.id) ?? (await teach(server, business))
    projects.set(business.id, project_id)
    results.push(await askOne({ server, project_id, question, nth }))
  }
  return results
}

async function teach(server: TestRuntime, business: Business): Promise<string> {
  const { project_id } = await server.newProject()
  const { status, text } = await server.call('PUT /assistant', {
    key: await server.newKey({ project_id }),
    body: {
      name: business.name,
      languages: [business.language],
      instructions: business.instructions,
      opening_hours: business.opening_hours,
      facts: business.facts.map(({ question, text }) => ({ question, answer: text })),
    },
  })
  if (status !== 200) throw new Error(`${business.id}: ${text}`)
  const pages = business.pages.map(({ id, text }) => ({ url: `/${id}`, title: '', text }))
  const passages = extractPagePassages(pages, [business.language])
  await server.runtime.db.transact((tx) =>
    store.replacePassages(tx, { project_id, source: 'website', passages }),
  )
  return project_id
}

interface Asking {
  server: TestRuntime
  project_id: string
  question: Question
  nth: number
}

async function askOne({ server, project_id, question, nth }: Asking): Promise<Result> {
  const sent: RelayOut[] = []
  let took_message = false
  const relay = await openRelay(server.runtime, {
    project_id,
    send: (out) => void sent.push(out),
    takeMessage: () => (took_message = true),
  })
  const to = numbers[question.business.language] ?? ''
  const line = { session_id: 'e', call_id: 'e', from: '+31612345678', to }
  await relay.receive({ type: 'setup', ...line, direction: 'inbound' })
  const say = async (text: string): Promise<Reply> => {
    sent.length = 0
    await relay.receive({ type: 'prompt', text, last: true })
    const tokens = sent.flatMap((out) => (out.type === 'text' ? out.token : []))
    return { text: tokens.join(' ').trim(), took_message }
  }
  const start = performance.now()
  const first = await say(question.text)
  const time_ms = performance.now() - start
  const second = asksBack(first) ? await say(answerTo(question, nth)) : null
  relay.close()
  const replies = second === null ? [first] : [first, second]
  return { question, replies, time_ms, ...scoreReplies(question, first, second) }
}

function answerTo(question: Question, nth: number): string {
  const { language } = question
  if (!hasAnswer(question)) return declining[language] ?? 'no'
  const ways = agreeing[language] ?? ['yes']
  return ways[nth % ways.length] ?? 'yes'
}
