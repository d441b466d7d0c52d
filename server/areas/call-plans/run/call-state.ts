/**
 * The types between a plan and the line that carries the call: events in, commands out, and a state
 * of plain JSON, which can be stored between two carrier webhooks or in memory.
 * A command that expects a reply has a `step`. Lines that know to which command an event replies
 * return its step, so late events are recognised reliably.
 */
import type { Hours, IsOpen } from './hours.ts'
import type { endStatuses, hangupCauses, hangupSides, CallPlan } from '../schema.ts'

export type HangupCause = (typeof hangupCauses)[number]
export type EndStatus = (typeof endStatuses)[number]

export interface CallOutcome {
  status: EndStatus
  hangup_cause: HangupCause
  hangup_by: (typeof hangupSides)[number]
}

export type RingResult = 'no_answer' | 'busy' | 'failed'

export type CallPhase =
  | { name: 'new' }
  | { name: 'ringing'; position: number; results: RingResult[]; attempts: RingAttempts }
  | { name: 'bridged' }
  | { name: 'assistant' }
  | { name: 'saying'; times_left: number }
  | { name: 'gathering'; attempt: number }
  | { name: 'recording' }
  | { name: 'texting' }
  | { name: 'ended' }

/** Groups of numbers to ring, one group at a time. */
export interface RingAttempts {
  groups: string[][]
  ring_seconds: number
}

export interface CallState {
  plan: CallPlan
  /** The plan that a goto node may continue with; null if there is none, or none any more. */
  project_plan: CallPlan | null
  /** The assistant's opening hours at the start of the call. */
  assistant_hours: Hours | null
  at: string | null
  /** The caller in E.164; null if the number is withheld. */
  from: string | null
  to: string | null
  /** Ids of the visited nodes, in order; the last one is the current node. */
  path: string[]
  /** Number of commands so far that expect a reply. */
  step: number
  phase: CallPhase
  /** Ids of the sendSms nodes of the plan that were visited. */
  texted: string[]
  /** The kinds of answer that the call has had so far. */
  answered: { text: boolean; message: boolean; assistant: boolean; person: boolean }
  /** Whether a phone has rung for this call. */
  rang: boolean
  outcome: CallOutcome | null
}

type CommandReply = { step?: number }

export type CallEvent =
  | { type: 'started'; at: string; from: string | null; to: string }
  /** The ring command is finished: one number answered (and is connected) or none did. */
  | (CommandReply & { type: 'ring_ended'; outcome: 'answered' | RingResult; target?: string })
  /** The target of a connected call hung up. */
  | (CommandReply & { type: 'bridge_ended' })
  /** The text was read, or the file played. */
  | (CommandReply & { type: 'said' })
  /** The voicemail is over, and the caller is still there. */
  | (CommandReply & { type: 'recorded'; left: boolean })
  /** The text message is queued or refused. */
  | (CommandReply & { type: 'texted' })
  /** Keys in a menu; the first one counts. */
  | (CommandReply & { type: 'digits'; digits: string })
  /** Words in a menu that accepts words. */
  | (CommandReply & { type: 'heard'; text: string })
  | (CommandReply & { type: 'no_input' })
  | (CommandReply & {
      type: 'assistant_ended'
      reason: 'completed' | 'unavailable' | 'max_duration'
    })
  /** The assistant transfers to an entry of transfer_targets, or to a number in its settings. */
  | (CommandReply & {
      type: 'assistant_ended'
      reason: 'transfer'
      target_id?: string
      e164?: string
      /** A person of the team puts the caller through to `e164`, whatever the plan allows. */
      by_person?: boolean
    })
  /**
   * `before_answer`: the line was not yet answered, even if a command to answer was sent.
   * `left_message`: the caller hung up during a voicemail, after words.
   */
  | { type: 'caller_hung_up'; before_answer?: boolean; left_message?: boolean }
  /** The call has reached the maximum duration. */
  | { type: 'time_limit' }

export interface HandOverOptions {
  greeting: string | null
  instructions: string | null
  language: string | null
  max_seconds: number | null
  allow_transfer: boolean
  transfer_targets: { id: string; label: string; e164: string; when: string | null }[]
  /** The caller returns from an unanswered transfer, so the assistant skips the greeting. */
  resumed: boolean
}

type Waiting = { step: number; node_id: string }

export type CallCommand =
  /** Ring all targets at once and connect the caller to the first that answers. */
  | (Waiting & {
      type: 'ring'
      targets: string[]
      strategy: 'sequential' | 'parallel'
      ring_seconds: number
    })
  | (Waiting & { type: 'hand_over'; options: HandOverOptions })
  | (Waiting & {
      type: 'say'
      text: string
      language: string | null
      voice: string | null
      interruptible: boolean
    })
  | (Waiting & {
      type: 'gather'
      text: string
      language: string | null
      /** Words that choose an option; empty if only keys count. */
      words: string[]
      max_digits: number
      timeout_seconds: number
    })
  | (Waiting & { type: 'play'; media_id: string })
  /** Records until a pause, the key # or the maximum length. */
  | (Waiting & { type: 'record'; max_seconds: number; beep: boolean; mailed: boolean })
  /** `to` is null if the caller's number is withheld. */
  | (Waiting & { type: 'send_sms'; to: string | null; text: string })
  | { type: 'hang_up'; cause: HangupCause }

export interface PlanStep {
  state: CallState
  /** Commands to run in order. After the end of the call the line also cancels pending ones. */
  commands: CallCommand[]
  /** Why the event was ignored; null if it was processed. */
  ignored: string | null
}

/** Inputs of a decision beside the plan and the event. */
export interface PlanWorld {
  isOpen: IsOpen
}
