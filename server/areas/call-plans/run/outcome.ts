/**
 * How a call is judged once it is over: its status, the cause in the words of the carriers, and
 * who ended it. The status says who got to the caller: a person before the assistant, the
 * assistant before a text that was read; nobody, and the call was missed.
 */
import type { EndStatus, HangupCause, Outcome, State } from './call-state.ts'
import type { Hangup } from '../node-schemas.ts'

export function by(
  hangup_by: Outcome['hangup_by'],
  hangup_cause: HangupCause,
  status: EndStatus,
): Outcome {
  return { status, hangup_cause, hangup_by }
}

/** The plan goes no further. */
export function endOfPlan(state: State): Outcome {
  return by('system', 'normal_clearing', statusSoFar(state))
}

/** The call has lasted as long as it may. */
export function endOfTime(state: State): Outcome {
  return by('system', 'time_limit', statusNow(state))
}

/** The call has been at as many nodes as it may. */
export function endOfSteps(state: State): Outcome {
  return by('system', 'time_limit', statusSoFar(state))
}

/** Busy and rejected are signals to a caller who is still waiting; later they mean nothing. */
export function endOfHangup(state: State, { cause }: Hangup): Outcome {
  if (isAnswered(state)) return endOfPlan(state)
  if (cause === 'busy') return by('system', 'user_busy', state.rang ? 'missed' : 'busy')
  if (cause === 'reject') return by('system', 'call_rejected', state.rang ? 'missed' : 'blocked')
  return endOfPlan(state)
}

/** Nobody took the call: missed, unless the assistant had already talked with the caller. */
export function endUnanswered({ answered }: State, cause: HangupCause): Outcome {
  if (answered.assistant) return by('system', 'normal_clearing', 'ai_handled')
  return by('system', cause, 'missed')
}

export function endOfCaller(state: State, before_answer: boolean): Outcome {
  if (before_answer || !isAnswered(state)) return by('caller', 'originator_cancel', 'missed')
  return by('caller', 'normal_clearing', statusNow(state))
}

function isAnswered({ answered, phase }: State): boolean {
  return answered.text || answered.assistant || answered.person || phase.name === 'assistant'
}

/** An assistant that is talking has answered, though it has not reported so yet. */
function statusNow(state: State): EndStatus {
  return state.phase.name === 'assistant' ? 'ai_handled' : statusSoFar(state)
}

/** A call that rang for somebody and got nobody is missed, whatever was read to the caller. */
function statusSoFar({ answered, rang }: State): EndStatus {
  if (answered.person) return 'forwarded'
  if (answered.assistant) return 'ai_handled'
  return answered.text && !rang ? 'menu_ended' : 'missed'
}
