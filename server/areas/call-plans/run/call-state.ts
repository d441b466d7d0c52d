/**
 * The words between a plan and the line that carries the call: events come in, commands go out,
 * and the state in between is plain JSON, so that it can be kept between two webhooks of a
 * carrier as well as in the memory of a simulated call.
 *
 * A command that waits for an answer carries a `step`. Lines that can say which command an event
 * answers send its step back, and an event that comes too late is then recognised for certain.
 */
import type { Hours, IsOpen } from './hours.ts'
import type { endStatuses, hangupCauses, hangupSides, Plan } from '../schema.ts'

export type HangupCause = (typeof hangupCauses)[number]
export type EndStatus = (typeof endStatuses)[number]

export interface Outcome {
  status: EndStatus
  hangup_cause: HangupCause
  hangup_by: (typeof hangupSides)[number]
}

export type RingResult = 'no_answer' | 'busy' | 'failed'

export type Phase =
  | { name: 'new' }
  | { name: 'ringing'; position: number; results: RingResult[]; attempts: Attempts }
  | { name: 'bridged' }
  | { name: 'assistant' }
  | { name: 'saying'; times_left: number }
  | { name: 'gathering'; attempt: number }
  | { name: 'ended' }

/** The groups of numbers to ring, one group at a time. */
export interface Attempts {
  groups: string[][]
  ring_seconds: number
}

export interface State {
  plan: Plan
  /** The assistant's opening hours when the call came in. */
  assistant_hours: Hours | null
  at: string | null
  /** The caller in E.164; null when the number is withheld. */
  from: string | null
  to: string | null
  /** Ids of the visited nodes, in order; the last one is the current node. */
  path: string[]
  /** Counts the commands that wait for an event. */
  step: number
  phase: Phase
  /** Who has answered the call so far. */
  answered: { text: boolean; assistant: boolean; person: boolean }
  /** Whether a phone has rung for this call. */
  rang: boolean
  outcome: Outcome | null
}

type Answer = { step?: number }

export type Event =
  | { type: 'started'; at: string; from: string | null; to: string }
  /** All numbers of the ring command are through: one answered (and is connected) or none. */
  | (Answer & { type: 'ring_ended'; outcome: 'answered' | RingResult; target?: string })
  /** The other side of a connected call hung up. */
  | (Answer & { type: 'bridge_ended' })
  | (Answer & { type: 'said' })
  /** Keys in a menu; the first one counts. */
  | (Answer & { type: 'digits'; digits: string })
  /** Words in a menu that takes words. */
  | (Answer & { type: 'heard'; text: string })
  | (Answer & { type: 'no_input' })
  | (Answer & { type: 'assistant_ended'; reason: 'completed' | 'unavailable' | 'max_duration' })
  /** The assistant transfers to one of transfer_targets, or to a number of its own settings. */
  | (Answer & { type: 'assistant_ended'; reason: 'transfer'; target_id?: string; e164?: string })
  /** `before_answer`: the line had not been answered yet, whatever had been commanded. */
  | { type: 'caller_hung_up'; before_answer?: boolean }
  /** The call has lasted as long as any call may. */
  | { type: 'time_limit' }

export interface HandOverOptions {
  greeting: string | null
  instructions: string | null
  language: string | null
  max_seconds: number | null
  allow_transfer: boolean
  transfer_targets: { id: string; label: string; e164: string; when: string | null }[]
  /** The caller is back from a transfer that nobody answered: no greeting this time. */
  resumed: boolean
}

type Waiting = { step: number; node_id: string }

export type Command =
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
      /** Words that choose an option; none: keys only. */
      words: string[]
      max_digits: number
      timeout_seconds: number
    })
  | { type: 'hang_up'; cause: HangupCause }

export interface Step {
  state: State
  /** To be carried out in order. After the call has ended the line also drops what is still open. */
  commands: Command[]
  /** Why the event was ignored, or null when it was not. */
  ignored: string | null
}

/** What a decision may need that is neither in the plan nor in the event. */
export interface World {
  isOpen: IsOpen
}
