/**
 * A conversation with the assistant without a call: the caller sends what was said so far and gets
 * the next reply, with the knowledge that it came from. It is paid for like a test call.
 */
import type { MemberCaller } from '../../../contract/people.ts'
import { Problem } from '../../../contract/errors.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { asksForHours } from '../../../providers/model/builtin/builtin-hours.ts'
import type { Language } from '../../../providers/model/language/language.ts'
import { modelOf } from '../../../providers/model/model.ts'
import { detectLanguage, languageOf } from '../../../providers/model/language/words.ts'
import { replyToCaller, type DialogueReply, type DialogueTurn } from '../dialogue/dialogue.ts'
import { composeGreeting } from '../dialogue/greeting.ts'
import type { RetrievedKnowledge } from '../knowledge/retrieval.ts'
import type { Profile } from '../profile.ts'
import * as store from '../store.ts'
import { requireReply } from '../costs/spend.ts'
import type { Source, TryOutInput, TryOutReply } from './schema.ts'

const PATIENCE_MS = 12_000
/** Passages that match less are no knowledge about the question. */
const SCORE_MIN = 0.35

type Asker = Pick<MemberCaller, 'runtime' | 'db' | 'project'>

export async function tryOut(caller: Asker, { turns }: TryOutInput): Promise<TryOutReply> {
  const { runtime, db, project } = caller
  const found = await store.find(db, project.id)
  if (found === null) throw notSetUp()
  const { profile, tools: settings } = found
  const said = turns.at(-1)
  if (said === undefined) return greet(profile)
  if (said.role !== 'caller') throw endsWithReply(turns.length - 1)
  const spender = {
    project_id: project.id,
    area: 'portal' as const,
    reference_id: newId(runtime.clock),
    test: true,
  }
  await requireReply(runtime, { ...spender, model: modelOf(runtime.config.model, profile.model) })
  const language = detectSpokenLanguage(profile, turns)
  const reply = await replyToCaller(runtime, {
    project_id: project.id,
    profile,
    turns,
    language,
    called: '',
    extra: null,
    targets: listTargets(profile),
    tools: { settings, test: true, countUses: async () => new Map() },
    signal: AbortSignal.timeout(PATIENCE_MS),
    spender,
  })
  return {
    text: reply.text,
    language: reply.language,
    action: reply.action?.kind ?? null,
    sources: listSources(reply, { said: said.text, language }),
  }
}

function greet({ name, greeting, languages }: Profile): TryOutReply {
  const language = firstOf(languages)
  return { ...composeGreeting({ name, greeting, language }), action: null, sources: [] }
}

/** The language of the caller's last recognizable turn; before that the first of the settings. */
function detectSpokenLanguage({ languages }: Profile, turns: readonly DialogueTurn[]): Language {
  const spoken = turns
    .filter(({ role }) => role === 'caller')
    .map(({ text }) => detectLanguage(text))
  return spoken.findLast((language) => language !== null) ?? firstOf(languages)
}

function firstOf(tags: readonly string[]): Language {
  return tags.map((tag) => languageOf(tag)).find((language) => language !== null) ?? 'en'
}

function listTargets({ transfer: { phone } }: Profile) {
  return phone === null ? [] : [{ id: 'assistant', label: '', e164: phone, when: null }]
}

interface Question {
  said: string
  language: Language
}

function listSources({ text, knowledge, action }: DialogueReply, asked: Question): Source[] {
  if (knowledge === null || action !== null) return []
  const passages = knowledge.passages
    .filter(({ score }) => score >= SCORE_MIN)
    .map(({ source, title, body }) => {
      const quoted = text.includes(body) || (title !== '' && text.includes(title))
      return { kind: source, title, text: body, quoted }
    })
  if (!isAboutHours(knowledge, asked)) return passages
  const quoted = !passages.some((passage) => passage.quoted)
  return [{ kind: 'opening_hours', title: '', text: '', quoted }, ...passages]
}

function isAboutHours({ hours }: RetrievedKnowledge, { said, language }: Question): boolean {
  return hours !== null && asksForHours(said, language, hours.asked.length > 0)
}

function notSetUp(): Problem {
  const user_message = 'The assistant is not set up yet, so it would not answer a call.'
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Save the settings of the assistant first, then try it.',
  })
}

function endsWithReply(index: number): Problem {
  const message = 'must be a turn of the caller, because the assistant replies to it'
  const path = `/turns/${index}/role`
  return new Problem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] })
}
