/**
 * Counts the tokens of a request to a language model. A provider may report no counts, or
 * implausible ones; then they are estimated, so that no request is free and none costs more than was
 * held. Pure.
 */

/** The token counts as the SDK passes them on; each may be missing or wrong. */
export interface ReportedUsage {
  inputTokens?: number | undefined
  outputTokens?: number | undefined
  inputTokenDetails?: { cacheReadTokens?: number | undefined } | undefined
}

export interface TokenUsage {
  input_tokens: number
  /** The part of the input that the provider had cached. */
  cached_tokens: number
  output_tokens: number
  /** Whether a count is an estimate. */
  estimated: boolean
}

/** The size of a request and its result, for the estimate. */
export interface RequestSize {
  input_characters: number
  output_characters: number
}

/** Maximum tokens of one request. Their price is held before the request. */
export const requestTokensMax = { input_tokens: 30_000, output_tokens: 4_000 }

/** A token of most languages has three to four characters; fewer make the estimate higher. */
const CHARACTERS_PER_TOKEN = 3

export function countTokens(reported: ReportedUsage | null, size: RequestSize): TokenUsage {
  const input = plausible(reported?.inputTokens, size.input_characters)
  const output = plausible(reported?.outputTokens, size.output_characters)
  const input_tokens = input ?? estimate(size.input_characters)
  const cached = plausible(reported?.inputTokenDetails?.cacheReadTokens, 0) ?? 0
  return {
    input_tokens: Math.min(input_tokens, requestTokensMax.input_tokens),
    cached_tokens: Math.min(cached, input_tokens),
    output_tokens: Math.min(
      output ?? estimate(size.output_characters),
      requestTokensMax.output_tokens,
    ),
    estimated: input === null || output === null,
  }
}

/** Returns null for a count that is missing, no whole number, negative, or zero for a text. */
function plausible(count: number | undefined, characters: number): number | null {
  if (count === undefined || !Number.isSafeInteger(count) || count < 0) return null
  return count === 0 && characters > 0 ? null : count
}

function estimate(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}
