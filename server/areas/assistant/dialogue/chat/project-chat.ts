/** Text chats for other areas: the greeting, and replies with the settings of a project. */
import { Problem } from '../../../../contract/errors.ts'
import type { Reader } from '../../../../kernel/database/database.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import type { Language } from '../../../../providers/model/language/language.ts'
import { detectLanguage, languageOf } from '../../../../providers/model/language/words.ts'
import { defaultProfile } from '../../profile.ts'
import * as store from '../../store.ts'
import { answerChat, type ChatAnswer, type ChatQuestion } from './chat.ts'
import { composeGreeting } from '../greeting.ts'

const SUGGESTIONS_MAX = 3
/** Longer questions do not fit on a button. */
const SUGGESTION_CHARACTERS_MAX = 80

export interface ChatReply extends ChatAnswer {
  /** The language of the visitor. */
  language: string
}

export interface VisitorQuestion extends Omit<ChatQuestion, 'profile' | 'language' | 'tools'> {
  language: string
  tools: Pick<ChatQuestion['tools'], 'test' | 'countUses'>
}

/** The language of the conversation is used if that of the message is not recognized. */
export async function answerMessage(
  runtime: Runtime,
  { language, ...question }: VisitorQuestion,
): Promise<ChatReply> {
  const { profile, tools: settings } = await readAssistant(runtime.db, question.project_id)
  const tools = { ...question.tools, settings }
  const said = question.turns.at(-1)?.text ?? ''
  const spoken = detectLanguage(said) ?? languageOf(language) ?? firstOf(profile.languages)
  const answer = await answerChat(runtime, { ...question, profile, tools, language: spoken })
  return { ...answer, language: spoken }
}

export interface ChatGreeting {
  text: string
  language: string
  name: string
}

/** `greeting` replaces the one of the settings. Throws assistant_not_configured. */
export async function greetVisitor(
  db: Reader,
  project_id: string,
  asked: { language?: string | null | undefined; greeting?: string | null | undefined },
): Promise<ChatGreeting> {
  const { name, greeting, languages } = (await readAssistant(db, project_id)).profile
  const language = languageOf(asked.language) ?? firstOf(languages)
  const composed = composeGreeting({ name, greeting: asked.greeting || greeting, language })
  return { text: composed.text, language, name }
}

export interface ChatProfile extends ChatGreeting {
  greeting: string
  languages: string[]
  /** Questions that the assistant can answer. */
  suggestions: string[]
  configured: boolean
}

/** The part of the settings that a widget shows; defaults if the assistant is not set up. */
export async function readChatProfile(
  db: Reader,
  project_id: string,
  own: { language: string | null; greeting: string | null },
): Promise<ChatProfile> {
  const found = await store.find(db, project_id)
  const { name, greeting, languages, facts } = found?.profile ?? defaultProfile('')
  const language = languageOf(own.language) ?? firstOf(languages)
  const composed = composeGreeting({ name, greeting: own.greeting ?? greeting, language })
  const suggestions = facts
    .map(({ question }) => question.trim())
    .filter((question) => question.length <= SUGGESTION_CHARACTERS_MAX)
    .slice(0, SUGGESTIONS_MAX)
  const configured = found !== null
  return { ...composed, greeting: composed.text, name, languages, suggestions, configured }
}

async function readAssistant(db: Reader, project_id: string): Promise<store.StoredAssistant> {
  const found = await store.find(db, project_id)
  if (found !== null) return found
  throw new Problem('assistant_not_configured', 'The assistant of this project was never set up.')
}

function firstOf(tags: readonly string[]): Language {
  return tags.map((tag) => languageOf(tag)).find((language) => language !== null) ?? 'en'
}
