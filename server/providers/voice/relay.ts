/**
 * The text relay: the protocol between a call and the assistant. The line converts speech to
 * `RelayIn` and speaks `RelayOut`; the assistant never handles audio.
 *
 * The messages are those of ConversationRelay with other names: sessionId is session_id,
 * voicePrompt is text, lang is language, utteranceUntilInterrupt is heard_text,
 * durationUntilInterruptMs is after_ms, ttsLanguage is speech_language, transcriptionLanguage is
 * listening_language, sendDigits is send_digits, handoffData is reason and handoff, and
 * customParameters are node_options.
 */

/** A transfer target that the plan permits. */
export interface RelayTarget {
  id: string
  label: string
  e164: string
  /** When to choose it, as text for the model. */
  when: string | null
}

/** Options of the call plan that override the assistant's settings for this call. */
export interface RelayOptions {
  greeting?: string | null
  instructions?: string | null
  language?: string | null
  max_seconds?: number | null
  allow_transfer?: boolean
  transfer_targets?: readonly RelayTarget[]
  /** The caller returns from an unanswered transfer, so the greeting is omitted. */
  resumed?: boolean
}

/** The first message, sent once. */
export interface RelaySetup {
  type: 'setup'
  session_id: string
  call_id: string
  from: string
  to: string
  direction: 'inbound' | 'outbound'
  /** The caller's language (BCP 47), if known. */
  language?: string
  node_options?: RelayOptions
}

/** Words of the caller; complete only if `last` is set. An empty text means silence. */
export interface RelayPrompt {
  type: 'prompt'
  text: string
  language?: string
  last: boolean
}

/** The caller interrupted the assistant after these words. */
export interface RelayInterrupt {
  type: 'interrupt'
  heard_text: string
  after_ms: number
}

/** A key: 0 to 9, * or #. */
export interface RelayDigit {
  type: 'dtmf'
  digit: string
}

/** An error on the line; the session continues. */
export interface RelayError {
  type: 'error'
  description: string
}

export type RelayIn = RelaySetup | RelayPrompt | RelayInterrupt | RelayDigit | RelayError

/** Text to speak. Tokens form one utterance up to the one with `last`. */
export interface RelayText {
  type: 'text'
  token: string
  last: boolean
  language: string
  interruptible: boolean
  /** The sources of the answer, for the transcript; they are not spoken. */
  sources?: readonly { title: string; url: string | null; source_id: string }[]
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

/** Switches speech and recognition to this language. */
export interface RelayLanguage {
  type: 'language'
  speech_language: string
  listening_language: string
}

export type RelayEndReason = 'completed' | 'transfer' | 'unavailable'

/** The last message: the assistant ends its part of the call. */
export interface RelayEnd {
  type: 'end'
  reason: RelayEndReason
  /** For reason `transfer`: the number to call, and the target's id if it is in the plan. */
  handoff?: { phone: string; target_id?: string }
}

export type RelayOut = RelayText | RelayPlay | RelaySendDigits | RelayLanguage | RelayEnd
