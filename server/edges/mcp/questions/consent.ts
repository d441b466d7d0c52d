/**
 * Obtains the consent of a person before a dangerous operation. A client with elicitation asks its
 * person; a MAC binds the question to the operation, its arguments and the key, for a few minutes.
 * Without elicitation, `ApprovalFallback` decides. Consent is never an argument, because a model could
 * set that itself.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import * as approvals from '../../../areas/approvals/service.ts'
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Loss, Operation } from '../../../contract/operation.ts'
import { holdsUnderAnyKey, sameText, sha256, type MacKey } from '../../../kernel/secrets/crypto.ts'
import { quoteHidden } from '../../../kernel/values/first-values.ts'
import { describeCost } from '../tools/cost.ts'
import { isRecord } from '../tools/record.ts'
import { toTextResult } from '../tools/result.ts'

/** The operation and arguments that need consent. */
export interface Proposal {
  operation: Operation
  /** As the client sent them. */
  given: unknown
  loss: Loss | null
  /** The cost as a sentence; null if the operation is free. */
  cost: string | null
}

/** Handles a proposal of a client without elicitation. */
export interface ApprovalFallback {
  /** Returns the result that tells the model how the owner can approve the operation. */
  resultFor(proposal: Proposal, caller: Caller): Promise<CallToolResult>
}

/** The elicitation state of a request. */
export interface Elicitation {
  /** Whether the client can ask its person now. */
  asks: boolean
  /** The answer in this request; null if there is none. */
  answer: 'yes' | 'no' | null
  /** The state that was sent with the question and returned with the answer. */
  state: string | undefined
}

/** A question for the person instead of a result. */
export interface ConsentQuestion {
  message: string
  state: string
}

interface Consent {
  caller: Caller
  asking: Elicitation
  approvals: ApprovalFallback
}

/**
 * Returns null after consent, otherwise the question to ask or the result that an approval waits. Throws a
 * Problem after a refusal.
 */
export async function askConsent(
  asked: Omit<Proposal, 'cost'>,
  { caller, asking, approvals }: Consent,
): Promise<ConsentQuestion | CallToolResult | null> {
  const proposal = { ...asked, cost: describeCost(asked, caller.runtime) }
  if (!asking.asks) return approvals.resultFor(proposal, caller)
  const message = describeProposal(proposal, await subjectLine(proposal, caller))
  const told = { proposal, message, caller }
  if (asking.answer === null || !isState(told, asking.state))
    return { message, state: writeState(told) }
  if (asking.answer === 'yes') return null
  throw new Problem(
    'confirmation_required',
    `The person did not agree to ${asked.operation.name}.`,
    {
      user_message: 'You said no, so nothing was done.',
      next_step: `Leave it, unless the user asks for it again.${insteadOf(asked)}`,
    },
  )
}

function insteadOf({ loss }: Pick<Proposal, 'loss'>): string {
  return loss?.instead ? ` ${loss.instead}` : ''
}

/** Arguments that the question does not show: those of the interface, and a repeated name. */
const notShown = new Set(['idempotency_key', 'if_match', 'confirm'])

/**
 * Writes the question for the person, in the words of the contract and not of a model. A named subject
 * stands for its id.
 */
function describeProposal({ operation, given, loss, cost }: Proposal, subject: string): string {
  const [, target = ''] = /\{(\w{1,40})\}[^{}]*$/.exec(operation.path) ?? []
  const asked = (isRecord(given) ? Object.entries(given) : []).filter(
    ([name]) => !notShown.has(name) && (subject === '' || name !== target),
  )
  const lines = asked.map(([name, value]) => `${name}: ${shown(value)}`)
  // The most important part comes first, because clients cut long texts.
  return [
    operation.consent?.about ?? operation.about,
    ...(subject === '' ? [] : [`It is about: ${subject}`]),
    ...(loss === null ? [] : [loss.about]),
    ...lines,
    ...(cost === null ? [] : [cost]),
  ].join('\n')
}

/**
 * Returns the name of the target. Only the person sees it, not the model, because outsiders may
 * have chosen the name.
 */
function subjectLine({ operation, given }: Proposal, caller: Caller): Promise<string> {
  const asked = { operation: operation.name, arguments: isRecord(given) ? given : {} }
  return approvals.labelTarget(caller, asked)
}

/** The name of the target as the operation declares it, which a model may see. */
async function declaredLine({ operation, given }: Proposal, caller: Caller): Promise<string> {
  const asked = { operation: operation.name, arguments: isRecord(given) ? given : {} }
  return (await approvals.findDeclaredSubject(caller, asked)) ?? ''
}

/** One line, so that no argument looks like a sentence of the question. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const most = limits.mcp_question_value_characters_max
  return quoteHidden(text.length > most ? `${text.slice(0, most)}…` : text)
}

/** What the person is asked, and for whom. */
interface Told {
  proposal: Proposal
  message: string
  caller: Caller
}

function writeState(told: Told): string {
  const { clock, seal } = told.caller.runtime
  const until_ms = clock.now_ms() + limits.mcp_question_valid_s * 1000
  return `${until_ms}.${macOf(seal, told, until_ms)}`
}

/** Whether the state belongs to this question. What would be lost can have changed since it was put. */
function isState(told: Told, state: string | undefined): boolean {
  const { clock, seal } = told.caller.runtime
  const until_ms = Number(/^\d{1,15}(?=\.)/.exec(state ?? '')?.[0] ?? Number.NaN)
  if (!(until_ms > clock.now_ms())) return false
  return holdsUnderAnyKey(seal, (key) =>
    sameText(`${until_ms}.${macOf(key, told, until_ms)}`, state ?? ''),
  )
}

function macOf(key: MacKey, { proposal, message, caller }: Told, until_ms: number): string {
  const { operation, given, loss } = proposal
  const asked = [given ?? {}, message, loss?.depends_on ?? null]
  const what = sha256(JSON.stringify(asked)).toString('base64url')
  const text = [operation.name, what, caller.key_id, until_ms].join('\n')
  return key.mac(text, 'mcp-consent').toString('base64url')
}

/** Stores a pending approval, which a person decides in the portal. */
export const approvalsInPortal: ApprovalFallback = {
  async resultFor(proposal, caller) {
    const { operation, given, cost } = proposal
    const { name } = operation
    const about = await declaredLine(proposal, caller)
    const { id, url, expires_at } = await approvals.propose(caller, {
      operation: name,
      given,
      source: 'mcp',
    })
    return toTextResult({
      status: 'waits_for_approval',
      approval: { id, url, expires_at },
      ...(cost !== null && { cost }),
      user_message: `This needs your yes before it is done:\n${describeProposal(proposal, about)}\nDecide here: ${url}`,
      next_step:
        'Show the user the address and wait. Do not send this again: it is done by itself once a ' +
        `person agrees. get_approval with the id tells what became of it.${insteadOf(proposal)}`,
    })
  },
}
