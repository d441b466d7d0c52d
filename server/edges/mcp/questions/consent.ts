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
import { isUuid } from '../../../kernel/values/ids.ts'
import { holdsUnderAnyKey, sameText, sha256, type MacKey } from '../../../kernel/secrets/crypto.ts'
import { quoteHidden } from '../../../kernel/values/first-values.ts'
import { describeCostFor } from '../tools/cost.ts'
import { isRecord } from '../tools/record.ts'
import { toTextResult } from '../tools/result.ts'
import { wrapTexts } from '../transport/outsiders.ts'

/** The operation and arguments that need consent. */
export interface Proposal {
  operation: Operation
  /** As the client sent them. */
  given: unknown
  loss: Loss | null
  /** The cost or that nothing real happens, as a sentence; null if the operation is free. */
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
  const proposal = { ...asked, cost: describeCostFor(asked, caller) }
  if (!asking.asks) return approvals.resultFor(proposal, caller)
  const subject = await subjectLine(proposal, caller)
  const message = describeProposal(proposal, subject, { is_named: subject !== '', short: false })
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

/** The last parameter in the path. */
function targetOf({ path }: Operation): string {
  const [, target = ''] = /\{(\w{1,40})\}[^{}]*$/.exec(path) ?? []
  return target
}

/** A text with the address of the approval, which has every argument. */
const SHORT_CHARACTERS_MAX = 120

/**
 * Writes the question for the person, in the words of the contract and not of a model. A named subject
 * stands for its id. `short` leaves out long arguments, because the page that decides shows them.
 */
function describeProposal(
  { operation, given, loss, cost }: Proposal,
  subject: string,
  { is_named, short }: { is_named: boolean; short: boolean },
): string {
  const target = targetOf(operation)
  const asked = (isRecord(given) ? Object.entries(given) : []).filter(
    ([name]) => !notShown.has(name) && (!is_named || name !== target),
  )
  const said = (loss?.about ?? '').split(/[\s.,:;()]/)
  const lines = asked
    .map(([name, value]) => ({ name, text: textOf(value) }))
    .filter(({ text }) => !short || text.length <= SHORT_CHARACTERS_MAX)
    .filter(({ name, text }) => !operation.path.includes(`{${name}}`) || !said.includes(text))
    .map(({ name, text }) => `${name}: ${shown(text)}`)
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

/** Things that only the team names, and whose names get_state has too. */
const namedByTeam = /^\/(?:agents|apps|numbers|sites|webhooks)\/\{\w{1,20}\}(?:\/[a-z_/-]{1,60})?$/

/** The name of the target that a model may see: one by the team, or as the operation declares it. */
async function ownLine(proposal: Proposal, caller: Caller): Promise<string> {
  const { operation, given } = proposal
  if (namedByTeam.test(operation.path)) return subjectLine(proposal, caller)
  const asked = { operation: operation.name, arguments: isRecord(given) ? given : {} }
  return (await approvals.findDeclaredSubject(caller, asked)) ?? ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** One line, so that no argument looks like a sentence of the question. */
function shown(text: string): string {
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
    const about = await ownLine(proposal, caller)
    const target: unknown = Object(given)[targetOf(operation)]
    const label = isUuid(String(target)) ? await subjectLine(proposal, caller) : ''
    // Outsiders may have chosen the name, so it stands between tags.
    const told = label === '' || label === about ? null : wrapTexts({ subject: label })
    const how = { is_named: about !== '' || label !== '', short: true }
    const { id, url, expires_at } = await approvals.propose(caller, {
      operation: name,
      given,
      source: 'mcp',
    })
    return toTextResult({
      status: 'waits_for_approval',
      approval: { id, url, expires_at },
      ...(told && { about_tags: told.notice, ...told.texts }),
      ...(cost !== null && { cost }),
      user_message: `This needs your yes before it is done:\n${describeProposal(proposal, about, how)}\nDecide here: ${url}`,
      next_step:
        'Show the user the address and wait. Do not send this again: it is done by itself once a ' +
        `person agrees. get_approval with the id tells what became of it.${insteadOf(proposal)}`,
    })
  },
}
