/**
 * Going live: the live rails of a project, the open tasks of the other rails, and the switch, which
 * only people use. The switch checks the tasks under the lock of the project, so that they cannot
 * change meanwhile.
 */
import type { ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { MemberCaller } from '../../contract/people.ts'
import type { Reader } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { euroFromMicro, microFromEuro } from '../../kernel/values/money.ts'
import * as billing from '../billing/service.ts'
import * as projects from '../projects/service.ts'
import type { RailList, RailRow, SpendingCap } from './schema.ts'
import { listTasks, type GoLiveFacts } from './tasks.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import type { RailName } from '../projects/service.ts'

export type { RailRow } from './schema.ts'

type MemberContext = Pick<MemberCaller, 'runtime' | 'db' | 'project'>

export async function listRails({ runtime, db, project }: MemberContext): Promise<RailList> {
  const facts = await readFacts(db, runtime, project)
  const { operator_email } = runtime.config
  return {
    data: projects.railNames.map((rail) => rowOf(rail, facts)),
    operator_email: operator_email === '' ? null : operator_email,
  }
}

export function switchRail(
  { runtime, db, project }: MemberContext,
  { rail, mode }: { rail: projects.RailName; mode: 'live' | 'test' },
): Promise<RailRow> {
  return db.transact(async (tx) => {
    const locked = await projects.findLocked(tx, project.id)
    if (!locked) throw new Problem('not_found', 'There is no such project.')
    const facts = await readFacts(tx, runtime, locked)
    const { missing } = rowOf(rail, facts)
    if (mode === 'live' && locked.rails[rail] === 'test' && missing.length > 0) {
      throw refusal(rail, missing)
    }
    const changed = await projects.switchRail(tx, { project: locked, rail, mode })
    return rowOf(rail, { ...facts, project: changed })
  })
}

function refusal(rail: projects.RailName, missing: RailRow['missing']): Problem {
  const [first] = missing
  const more = missing.length > 1 ? `, and ${missing.length - 1} more` : ''
  return new Problem(
    'verification_required',
    `${rail} cannot go live yet: ${first?.code}${more}.`,
    {
      missing: missing.map(({ code }) => code),
      user_message: `This cannot go live yet. ${missing.map(({ task }) => task).join(' ')}`,
      next_step:
        'Complete what is missing, then try again. GET /projects/{project_id}/go-live ' +
        'lists it for every rail.',
    },
  )
}

function rowOf(rail: projects.RailName, facts: GoLiveFacts): RailRow {
  const missing = listTasks(rail, facts)
  const mode = facts.project.rails[rail]
  return { rail, about: abouts[rail], mode, can_go_live: missing.length === 0, missing }
}

const abouts: Readonly<Record<projects.RailName, string>> = {
  phone: 'Phone numbers that people can call',
  outbound: 'Calls that the assistant makes to people who expect them',
  sms: 'Text messages to mobile phones',
  email: 'Email to people beyond the team',
  payments: 'Payments by visitors of the sites',
  domains: 'Buying domains',
}

async function readFacts(db: Reader, runtime: Runtime, project: ProjectRow): Promise<GoLiveFacts> {
  const company_missing = await projects.listMissingCompanyDetails(db, project)
  const funds_micro = await billing.readUnspentFunds(db, projects.findPayingProject(project))
  return {
    project,
    company_missing,
    has_funds: funds_micro > 0n,
    has_provider: listRailProviders(runtime.config),
  }
}

/**
 * Sets or removes the monthly spending cap. A cap above the standard maximum, and a live project
 * without one, require the level full.
 */
export async function setSpendingCap(
  { db, project }: MemberContext,
  { spend_cap_eur }: SpendingCap,
): Promise<SpendingCap> {
  const spending_limit_micro = spend_cap_eur === null ? null : microFromEuro(spend_cap_eur)
  try {
    const changed = await projects.change(db, project.id, { spending_limit_micro })
    const limit_micro = changed?.spending_limit_micro ?? null
    return { spend_cap_eur: limit_micro === null ? null : euroFromMicro(limit_micro) }
  } catch (error) {
    if (!(error instanceof projects.SpendingCapTooHigh)) throw error
    const user_message =
      spend_cap_eur === null
        ? 'A live project without a cap needs the level full.'
        : `A cap above ${limits.spending_cap_unverified_eur_max} euro needs the level full.`
    throw new Problem('verification_required', user_message, {
      user_message,
      missing: ['level.full'],
      next_step:
        'Ask the owner to reach the level full on the page Verification of the portal, or set a ' +
        'lower cap.',
    })
  }
}

/**
 * In production the rails of payments and domains cannot have a provider: no adapter takes payments of
 * visitors, or registers domains. Telnyx needs the key that verifies its callbacks, without which no
 * message is confirmed and no call goes on. In development the simulators and built-in substitutes count,
 * so that an integration can be tested completely.
 */
export function listRailProviders(config: Config): Readonly<Record<RailName, boolean>> {
  const { production, carrier, payments } = config
  if (production) {
    const phone = carrier.provider === 'telnyx' || carrier.provider === 'twilio'
    // What the carrier reports counts only with a signature.
    const signed = carrier.provider === 'twilio' || (phone && carrier.public_key !== '')
    const email = ['smarthost', 'direct'].includes(config.email.mode)
    return { phone, outbound: signed, sms: signed, email, payments: false, domains: false }
  }
  const phone = carrier.provider !== 'none'
  return {
    phone,
    outbound: phone,
    sms: phone,
    email: config.email.mode !== 'none',
    payments: payments.provider !== 'none',
    domains: true,
  }
}
