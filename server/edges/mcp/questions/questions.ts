/**
 * Transports a question of `consent.ts` and its answer. A client of 2026-07-28 gets the question as the
 * result of its call and repeats the call with the answer. A client of a 2025 revision gets it in its
 * session while the call waits. An answer is valid for its own question alone.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  inputRequired,
  inputResponse,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { takesForms } from '../capabilities.ts'
import type { Elicitation, ConsentQuestion } from './consent.ts'
import { isRecord } from '../tools/record.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'

const QUESTION = 'confirm'

const yesOrNo = () => ({
  type: 'object' as const,
  properties: { yes: { type: 'boolean' as const, title: 'Yes, do this', default: false } },
  required: ['yes'],
})

/** Returns the question as a tool result (2026-07-28). */
export function toInputRequired({ message, state }: ConsentQuestion): InputRequiredResult {
  const question = inputRequired.elicit({ message, requestedSchema: yesOrNo() })
  return inputRequired({ inputRequests: { [QUESTION]: question }, requestState: state })
}

/** Reads the elicitation of a 2026-07-28 request from the capabilities in its own envelope. */
export function readElicitation({ mcpReq }: ServerContext): Elicitation {
  const envelope: JsonRecord = { ...mcpReq.envelope }
  const asks = takesForms(envelope[CLIENT_CAPABILITIES_META_KEY])
  return { asks, answer: answerIn(mcpReq), state: mcpReq.requestState() }
}

function answerIn({ inputResponses }: ServerContext['mcpReq']): Elicitation['answer'] {
  const response = inputResponse(inputResponses, QUESTION)
  return response.kind === 'elicit' ? answerOf(response) : null
}

function answerOf({ action, content }: { action: string; content?: unknown }): 'yes' | 'no' {
  return action === 'accept' && isRecord(content) && content['yes'] === true ? 'yes' : 'no'
}

/**
 * Asks the person while the call waits, and returns the answer. A client that responds with an error
 * is treated like one without elicitation.
 */
export async function putQuestion(
  { message, state }: ConsentQuestion,
  { mcpReq }: ServerContext,
  signal: AbortSignal,
): Promise<Elicitation> {
  const params = { message, requestedSchema: yesOrNo() }
  try {
    const said = await mcpReq.send(
      { method: 'elicitation/create', params },
      { timeout: limits.mcp_question_valid_s * 1000, signal },
    )
    return { asks: true, answer: answerOf(said), state }
  } catch (error) {
    if (error instanceof ProtocolError) return { asks: false, answer: null, state: undefined }
    throw createUnansweredProblem()
  }
}

/** Returns the problem for a question that was not confirmed in time. */
export function createUnansweredProblem(): Problem {
  return new Problem('confirmation_required', 'The question to the person was not answered.', {
    user_message: 'Nobody said yes in time, so nothing was done.',
    next_step: 'Ask the user, and send it again when they still want it.',
  })
}
