/** The fields of a token as a person edits them, and the request that they become. */
import { amountOf, readNumber, writeNumber } from '../../language/numbers.ts'
import type { ChatToken, Theme, TokenInput } from './queries.ts'
import { readOrigins } from './origins.ts'

export const CONVERSATIONS_MAX = 1_000
export const SPENDING_MAX = 1_000

export interface TokenDraft {
  name: string
  origins: string
  conversations: string
  spending: string
  challenge: ChatToken['challenge']
  colour: string
  position: Theme['position']
  greeting: string
  language: string
}

const emptyDraft: TokenDraft = {
  name: '',
  origins: '',
  conversations: '200',
  spending: '5',
  challenge: 'altcha',
  colour: '',
  position: 'right',
  greeting: '',
  language: '',
}

/** null: the draft of a new token. */
export function draftOf(token: ChatToken | null): TokenDraft {
  if (token === null) return emptyDraft
  const { name, allowed_origins, challenge, theme } = token
  return {
    name,
    origins: allowed_origins.join('\n'),
    conversations: String(token.daily_conversation_limit),
    spending: writeNumber(token.daily_spend_limit_eur),
    challenge,
    colour: theme.color ?? '',
    position: theme.position,
    greeting: theme.greeting ?? '',
    language: theme.language ?? '',
  }
}

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

/** A number from 0 to the maximum; NaN otherwise. */
export function numberOf(text: string, max: number): number {
  const value = readNumber(text)
  return value >= 0 && value <= max ? value : Number.NaN
}

export function inputOf(draft: TokenDraft): TokenInput {
  const { name, origins, conversations, spending, challenge, colour } = draft
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    allowed_origins: readOrigins(origins).map(({ origin, text }) => origin ?? text),
    daily_conversation_limit: Math.round(numberOf(conversations, CONVERSATIONS_MAX)),
    daily_spend_limit_eur: amountOf(spending),
    challenge,
    theme: {
      color: colour === '' ? null : colour.toLowerCase(),
      position: draft.position,
      greeting: draft.greeting.trim() === '' ? null : draft.greeting.trim(),
      language: draft.language === '' ? null : draft.language,
    },
  }
}
