/**
 * The text relay: the one contract between a call and the assistant. Whoever carries the call
 * turns speech into `RelayIn` and speaks `RelayOut`; the assistant never sees audio. A simulated
 * call, a line of our own and a carrier's relay all speak it.
 *
 * The words are those of ConversationRelay in our own spelling: sessionId is session_id,
 * voicePrompt is text, lang is language, utteranceUntilInterrupt is heard_text,
 * durationUntilInterruptMs is after_ms, ttsLanguage is speech_language, transcriptionLanguage is
 * listening_language, sendDigits is send_digits, and handoffData is reason and handoff. What its
 * customParameters carry is node_options here.
 */

/** Somebody the plan lets the assistant put a caller through to. */
export interface RelayTarget {
  id: string
  label: string
  e164: string
  /** When to choose it, in words. */
  when: string | null
}

/** What the call plan adds to the assistant's own settings for this call. */
export interface RelayOptions {
  greeting?: string | null
  instructions?: string | null
  language?: string | null
  max_seconds?: number | null
  allow_transfer?: boolean
  transfer_targets?: readonly RelayTarget[]
  /** The caller is back from a transfer that nobody answered: there is no second greeting. */
  resumed?: boolean
}

/** Comes first, once. */
export interface RelaySetup {
  type: 'setup'
  session_id: string
  call_id: string
  from: string
  to: string
  direction: 'inbound' | 'outbound'
  /** What is known of the caller's language (BCP 47). */
  language?: string
  node_options?: RelayOptions
}

/** What the caller said; only the one marked `last` is complete. An empty text is silence. */
export interface RelayPrompt {
  type: 'prompt'
  text: string
  language?: string
  last: boolean
}

/** The caller spoke over the assistant, who was heard up to here. */
export interface RelayInterrupt {
  type: 'interrupt'
  heard_text: string
  after_ms: number
}

/** A key was pressed: 0 to 9, * or #. */
export interface RelayDigit {
  type: 'dtmf'
  digit: string
}

/** Something went wrong on the line; the session goes on. */
export interface RelayError {
  type: 'error'
  description: string
}

export type RelayIn = RelaySetup | RelayPrompt | RelayInterrupt | RelayDigit | RelayError

/** Text to speak. Tokens belong together until the one marked `last`. */
export interface RelayText {
  type: 'text'
  token: string
  last: boolean
  language: string
  interruptible: boolean
}

export interface RelayPlay {
  type: 'play'
  source: string
  loop: number
}

export interface RelaySendDigits {
  type: 'send_digits'
  digits: string
}

/** From here on this language is spoken and listened for. */
export interface RelayLanguage {
  type: 'language'
  speech_language: string
  listening_language: string
}

export type RelayEndReason = 'completed' | 'transfer' | 'unavailable'

/** The assistant is done with the call; nothing follows. */
export interface RelayEnd {
  type: 'end'
  reason: RelayEndReason
  /** With `transfer`: the number to ring, and the target's id when the plan named it. */
  handoff?: { phone: string; target_id?: string }
}

export type RelayOut = RelayText | RelayPlay | RelaySendDigits | RelayLanguage | RelayEnd
