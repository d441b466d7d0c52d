/**
 * Determines the result of an ended call: status, carrier cause and the side that hung up. A person
 * outranks the assistant, the assistant outranks a voicemail, a voicemail outranks a played text; a
 * call without any is missed.
 */
import type { EndStatus, HangupCause, CallOutcome, CallState } from './call-state.ts'
import type { Hangup } from '../nodes/node-schemas.ts'

export function by(
  hangup_by: CallOutcome['hangup_by'],
  hangup_cause: HangupCause,
  status: EndStatus,
): CallOutcome {
  return { status, hangup_cause, hangup_by }
}

/** The outcome if the plan has no next node. */
export function endByPlan(state: CallState): CallOutcome {
  return by('system', 'normal_clearing', statusSoFar(state))
}

/** The outcome if the call has reached the maximum duration. */
export function endByTimeLimit(state: CallState): CallOutcome {
  return by('system', 'time_limit', statusNow(state))
}

/** The outcome if the call has visited the maximum number of nodes. */
export function endByStepLimit(state: CallState): CallOutcome {
  return by('system', 'time_limit', statusSoFar(state))
}

/**
 * The outcome of a hangup node. Busy and rejected are signals for an unanswered call; after an
 * answer the cause is normal.
 */
export function endByHangupNode(state: CallState, { cause }: Hangup): CallOutcome {
  if (isAnswered(state)) return endByPlan(state)
  if (cause === 'busy') return by('system', 'user_busy', state.rang ? 'missed' : 'busy')
  if (cause === 'reject') return by('system', 'call_rejected', state.rang ? 'missed' : 'blocked')
  return endByPlan(state)
}

/**
 * The outcome if nobody answered: missed, unless the assistant had already talked with the caller, or
 * the caller had left a message.
 */
export function endUnanswered({ answered }: CallState, cause: HangupCause): CallOutcome {
  if (answered.assistant) return by('system', 'normal_clearing', 'ai_handled')
  if (answered.message) return by('system', 'normal_clearing', 'voicemail')
  return by('system', cause, 'missed')
}

export function endByCallerHangup(state: CallState, before_answer: boolean): CallOutcome {
  if (before_answer || !isAnswered(state)) return by('caller', 'originator_cancel', 'missed')
  return by('caller', 'normal_clearing', statusNow(state))
}

function isAnswered({ answered, phase }: CallState): boolean {
  return answered.text || answered.assistant || answered.person || phase.name === 'assistant'
}

/**
 * Returns the status while the assistant may be talking: it has then answered, although it has not
 * reported so yet.
 */
function statusNow(state: CallState): EndStatus {
  return state.phase.name === 'assistant' ? 'ai_handled' : statusSoFar(state)
}

/**
 * Returns the status so far. A call that rang without an answer is missed, even if a text was
 * played.
 */
function statusSoFar({ answered, rang }: CallState): EndStatus {
  if (answered.person) return 'forwarded'
  if (answered.assistant) return 'ai_handled'
  if (answered.message) return 'voicemail'
  return answered.text && !rang ? 'menu_ended' : 'missed'
}
