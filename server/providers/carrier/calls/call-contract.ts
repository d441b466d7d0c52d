/**
 * Calls at a carrier. A carrier reports what happens on a call by callbacks, and is told by an
 * instruction what to do next: as the reply to the callback (Twilio) or as a request of its own
 * (Telnyx). While the caller talks, it converts speech to text and back over a WebSocket, with the
 * messages of ConversationRelay.
 */
import type { CallbackRequest, RefusedCallback } from '../messages/message-contract.ts'

export type LegResult = 'no_answer' | 'busy' | 'failed'

/** What the carrier does next with a call. */
export type Instruction =
  /**
   * Answers the call if necessary, and connects it with the text relay. `turn` is the same in a repetition
   * only.
   */
  | { do: 'converse'; answered: boolean; languages: readonly string[]; turn: string }
  /** Rings the targets at once, and connects the caller to the first that answers. */
  | { do: 'ring'; targets: readonly string[]; seconds: number; step: number; from: string }
  | { do: 'hang_up'; signal: 'normal' | 'busy' | 'reject' }
  /** Nothing changes. */
  | { do: 'wait' }

export type CallEventAtCarrier =
  | { kind: 'incoming'; from: string | null; to: string }
  /** The call is answered: an incoming one by us, an outgoing one by the person, or by a machine. */
  | { kind: 'answered'; machine: boolean }
  /** An outgoing call rings. */
  | { kind: 'ringing' }
  /** The connection with the text relay ended. */
  | { kind: 'relay_ended' }
  /** `leg_id` is null if the carrier reports about all targets of a step at once. */
  | { kind: 'leg_answered'; step: number; leg_id: string | null; target: string | null }
  | {
      kind: 'leg_ended'
      step: number
      leg_id: string | null
      result: LegResult | 'connected'
      /** How long a connected leg lasted, if the carrier says so. */
      seconds?: number
    }
  /** The whole call has ended. */
  | { kind: 'ended'; reason: LegResult | 'canceled' | 'hung_up' }

/** A phone that rings, or that the carrier refused to ring. */
export interface RingingLeg {
  leg_id: string
  target: string
  is_failed?: true
}

/** Names a call of ours in what the carrier is given. */
export interface CallReference {
  project_id: string
  id: string
}

export interface CallCallback {
  carrier_id: string
  /** The call that the carrier was given; null for one that comes in. */
  about: CallReference | null
  event: CallEventAtCarrier
}

/** The addresses of a call, each with proof that this server made it. */
export interface CallAddresses {
  callback_url: string
  relay_url: string
  /** For carriers that return a text instead of using a URL of the call. */
  reference: string
}

export interface OutgoingCall extends CallAddresses {
  from: string
  to: string
  ring_seconds: number
  seconds_max: number
}

export interface CarrierCalls {
  /** Starts a call, and returns its id at the carrier. Throws a CarrierError. */
  dial(call: OutgoingCall): Promise<string>
  readCallback(
    request: CallbackRequest,
    readReference: (text: string) => CallReference | null,
  ): CallCallback | RefusedCallback
  /**
   * The reply to a callback that carries the instruction; null if the carrier reads none, so that
   * `instruct` has to follow.
   */
  reply: ((instruction: Instruction, addresses: CallAddresses) => string) | null
  /**
   * Instructs the carrier by a request, whatever the call is doing. Returns the legs that ring.
   * Throws a CarrierError.
   */
  instruct(
    carrier_id: string,
    instruction: Instruction,
    addresses: CallAddresses,
  ): Promise<RingingLeg[]>
}
