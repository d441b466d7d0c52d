/**
 * Lists the missing prerequisites of a project's rails as tasks, worded for the person who does
 * them. Pure. A rail requires everything that its first real use requires, so that no project goes
 * live and is then refused.
 */
import type { ProjectRow } from '../../contract/caller.ts'
import { plans } from '../../contract/plans.ts'
import type { RailName } from '../projects/service.ts'

export const taskCodes = [
  'live_project',
  'plan',
  'provider',
  'company_details',
  'spending_cap',
  'payment_mandate',
  'payment_authentication',
  'phone_verification',
  'level.company',
  'level.full',
] as const
export type TaskCode = (typeof taskCodes)[number]

export interface GoLiveTask {
  code: TaskCode
  /** The task, as a sentence for the reader. */
  task: string
  done_by: 'team' | 'operator'
}

export interface GoLiveFacts {
  project: ProjectRow
  /** The empty fields of the company. */
  company_missing: readonly string[]
  /** Whether money that was paid in is left in the balance. */
  has_funds: boolean
  /** Whether this installation has a provider for the rail. */
  has_provider: Readonly<Record<RailName, boolean>>
}

/** Tasks of the rails that spend from the balance. */
const paid: readonly TaskCode[] = ['company_details', 'spending_cap', 'payment_mandate']
/** Tasks of the rails that contact outside people, whose sender must be identified. */
const confirmed: readonly TaskCode[] = [
  'payment_authentication',
  'phone_verification',
  'level.company',
]

const needs: Readonly<Record<RailName, readonly TaskCode[]>> = {
  phone: ['plan', ...paid, ...confirmed],
  outbound: ['plan', ...paid, ...confirmed, 'level.full'],
  sms: ['plan', ...paid, ...confirmed],
  email: [...paid, 'phone_verification'],
  payments: ['plan', 'company_details', 'level.company'],
  domains: [...paid, 'phone_verification'],
}

/** Tasks that only the operator of the installation can do. */
const operatorTasks: readonly TaskCode[] = ['provider']

export function listTasks(rail: RailName, facts: GoLiveFacts): GoLiveTask[] {
  // The live project of a pair has the tasks of the whole pair.
  const codes: readonly TaskCode[] =
    facts.project.shape === 'test' ? ['live_project'] : ['provider', ...needs[rail]]
  return codes
    .filter((code) => isMissing(code, rail, facts))
    .map((code) => ({
      code,
      task: sentenceOf(code, rail, facts),
      done_by: operatorTasks.includes(code) ? 'operator' : 'team',
    }))
}

function isMissing(code: TaskCode, rail: RailName, facts: GoLiveFacts): boolean {
  const { project, company_missing, has_funds, has_provider } = facts
  switch (code) {
    case 'live_project':
      return project.shape === 'test'
    case 'provider':
      return !has_provider[rail]
    case 'plan':
      return !plans[project.plan][rail === 'payments' ? 'live_payments' : 'live_numbers']
    case 'company_details':
      return company_missing.length > 0
    case 'spending_cap':
      return project.spending_limit_micro === null
    case 'payment_mandate':
      return !project.card && !has_funds
    case 'payment_authentication':
      return !project.payment_authenticated
    case 'phone_verification':
      return !project.phone_verified
    case 'level.company':
      return project.company_status !== 'approved'
    case 'level.full':
      return project.full_status !== 'approved'
  }
}

const sentences = {
  live_project: 'This is the test project of a pair: go live in its live project.',
  spending_cap: 'Set a monthly spending cap, which is never passed.',
  payment_mandate: 'Top up the balance, or save a card.',
  payment_authentication: 'Confirm a payment with the bank: top up once with a card.',
  phone_verification: 'Verify the phone number of the owner under Verification.',
  'level.company': 'Have the company checked under Verification.',
  'level.full': 'Reach the level full under Verification.',
} as const

const providers: Readonly<Record<RailName, string>> = {
  phone: 'a phone carrier',
  outbound: 'a phone carrier',
  sms: 'a phone carrier',
  email: 'a mail server',
  payments: 'a payment provider',
  domains: 'a registrar',
}

function sentenceOf(
  code: TaskCode,
  rail: RailName,
  { project, company_missing }: GoLiveFacts,
): string {
  switch (code) {
    case 'provider':
      return `Have the operator of this server connect it to ${providers[rail]}.`
    case 'plan':
      return `Choose a larger plan under Billing: ${plans[project.plan].title} works in test mode only.`
    case 'company_details':
      return `Fill in the company: ${company_missing.join(', ').replaceAll('_', ' ')}.`
    default:
      return sentences[code]
  }
}
