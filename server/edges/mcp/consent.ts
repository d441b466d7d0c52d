/**
 * The yes of a person before something dangerous is done. Where the client can put a question to
 * the person (elicitation), it is asked there, and the question is tied by a MAC to the operation,
 * its arguments and the key, for a few minutes. Where it cannot, `Approvals` says how the yes is to
 * be had. A yes is never an argument: a model could give that to itself.
 */
import * as approvals from '../../areas/approvals/service.ts'
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Loss, Operation } from '../../contract/operation.ts'
import { sameText, sha256 } from '../../kernel/secrets/crypto.ts'
import { costOf } from './cost.ts'
import { isRecord } from './record.ts'

/** What is about to be done. */
export interface Proposal {
  operation: Operation
  /** As they were given. */
  given: unknown
  loss: Loss | null
  /** What it costs, in a sentence; null where it costs nothing. */
  cost: string | null
}

/** What becomes of a proposal that the client cannot put to the person. */
export interface ApprovalFallback {
  /** The problem that tells the chat how the owner says yes. */
  problemFor(proposal: Proposal, caller: Caller): Promise<Problem>
}

/** How a request of MCP can be answered by a question. */
export interface Elicitation {
  /** Whether this client puts questions to the person. */
  asks: boolean
  /** What the person said, when the request brings an answer. */
  answer: 'yes' | 'no' | null
  /** What came back of the state that went out with the question. */
  state: string | undefined
}

/** A question to the person instead of a result. The client sends the request again with the answer. */
export interface ConsentQuestion {
  message: string
  state: string
}

interface Consent {
  caller: Caller
  asking: Elicitation
  approvals: ApprovalFallback
}

/** null when the person said yes; the question where it has to be asked; a problem after a no. */
export async function askConsent(
  asked: Omit<Proposal, 'cost'>,
  { caller, asking, approvals }: Consent,
): Promise<ConsentQuestion | null> {
  const proposal = { ...asked, cost: costOf(asked, caller.runtime) }
  if (!asking.asks) throw await approvals.problemFor(proposal, caller)
  if (asking.answer === null || !isState(proposal, caller, asking.state)) {
    const message = `${describeProposal(proposal)}${await subjectLine(proposal, caller)}`
    return { message, state: writeState(proposal, caller) }
  }
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

/** Arguments that protect a request and say nothing about what is done. */
const ofTheInterface = new Set(['idempotency_key', 'if_match'])

/** What would be done, for the person who decides: the words of the contract, not of a model. */
function describeProposal({ operation, given, loss, cost }: Proposal): string {
  const asked = (isRecord(given) ? Object.entries(given) : []).filter(
    ([name]) => !ofTheInterface.has(name),
  )
  const lines = asked.map(([name, value]) => `${name}: ${shown(value)}`)
  // Said first, because a long list is shown in part.
  return [
    operation.consent?.about ?? operation.about,
    ...(loss === null ? [] : [loss.about]),
    ...lines,
    ...(cost === null ? [] : [cost]),
  ].join('\n')
}

/**
 * What the thing is called. Only the person sees it, and not the model: whoever made the thing chose
 * its name.
 */
async function subjectLine({ operation, given }: Proposal, caller: Caller): Promise<string> {
  const asked = { operation: operation.name, arguments: isRecord(given) ? given : {} }
  const words = await approvals.labelSubject(caller, asked)
  return words === '' ? '' : `\nIt is about: ${words}`
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const most = limits.mcp_question_value_characters_max
  return text.length > most ? `${text.slice(0, most)}…` : text
}

function writeState(proposal: Proposal, caller: Caller): string {
  const until_ms = caller.runtime.clock.now_ms() + limits.mcp_question_valid_s * 1000
  return `${until_ms}.${macOf(proposal, caller, until_ms)}`
}

function isState(proposal: Proposal, caller: Caller, state: string | undefined): boolean {
  const until_ms = Number(/^\d{1,15}(?=\.)/.exec(state ?? '')?.[0] ?? Number.NaN)
  if (!(until_ms > caller.runtime.clock.now_ms())) return false
  return sameText(`${until_ms}.${macOf(proposal, caller, until_ms)}`, state ?? '')
}

function macOf({ operation, given }: Proposal, caller: Caller, until_ms: number): string {
  const what = sha256(JSON.stringify(given ?? {})).toString('base64url')
  const text = [operation.name, what, caller.key_id, until_ms].join('\n')
  return caller.runtime.seal.mac(text, 'mcp-consent').toString('base64url')
}

/** A pending approval, which a person decides about in the portal. */
export const approvalsInPortal: ApprovalFallback = {
  async problemFor(proposal, caller) {
    const { operation, given, cost } = proposal
    const { name } = operation
    const asked = { operation: name, arguments: isRecord(given) ? given : {} }
    const subject = await approvals.findDeclaredSubject(caller, asked)
    const about = subject === null ? '' : `\nIt is about: ${subject}`
    const approval = await approvals.propose(caller, { operation: name, given, source: 'mcp' })
    const { id, url, expires_at } = approval
    return new Problem(
      'confirmation_required',
      `${name} was not done: it waits until a person agrees to it in the portal.`,
      {
        user_message: `This needs your yes before it is done:\n${describeProposal(proposal)}${about}\nDecide here: ${url}`,
        next_step:
          'Show the user the address in approval.url and wait. Do not send this again: once a ' +
          'person has agreed, it is done by itself. Read what became of it with get_approval ' +
          `and the id ${id}.${insteadOf(proposal)}`,
        fields: { approval: { id, url, expires_at }, cost },
      },
    )
  },
}
