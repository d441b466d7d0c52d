/** Commands for projects, for the operator of an installation. */
import { listRailProviders } from '../../areas/go-live/service.ts'
import * as deletedProjects from '../../areas/deleted-projects/service.ts'
import * as people from '../../areas/people/service.ts'
import * as plans from '../../areas/plans/service.ts'
import * as projects from '../../areas/projects/service.ts'
import type { ProjectRow } from '../../contract/caller.ts'
import { limits } from '../../contract/limits.ts'
import { planNames } from '../../contract/plans.ts'
import type { Reader } from '../../kernel/database/database.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'
import { runtimeCommand } from '../command.ts'
import {
  choice,
  email,
  euro,
  flag,
  id,
  line,
  oneOf,
  optional,
  required,
  withDefault,
} from '../option-parsers.ts'
import { CommandError } from '../command-error.ts'
import { formatFields, formatTable } from '../output.ts'

const NAME_CHARACTERS_MAX = 200

export const create = runtimeCommand({
  name: 'projects create',
  about: 'Creates a project, or a pair of a live and a test project.',
  options: {
    name: required(line(NAME_CHARACTERS_MAX), 'The name of the project.'),
    shape: withDefault(oneOf(['single', 'pair']), 'single', 'The shape; by default single.'),
    plan: withDefault(oneOf(planNames), 'free', 'The plan; by default free.'),
    'owner-email': optional(email, 'Who owns it.'),
  },
  async run({ name, shape, plan, 'owner-email': owner_email = null }, runtime) {
    const created = await projects.create(runtime, { name, shape, plan, owner_email })
    if (owner_email !== null) await people.addOwner(runtime, owner_email)
    return { json: created, text: formatFields(created) }
  },
})

export const list = runtimeCommand({
  name: 'projects list',
  about: 'Lists the projects.',
  options: {},
  async run(_, runtime) {
    const rows = (await projects.list(runtime.db)).map(facts)
    const headings = ['ID', 'NAME', 'SHAPE', 'PLAN', 'ENABLED', 'NUMBERS', 'CREATED']
    const cells = rows.map((row) => [
      row.id,
      row.name,
      row.shape,
      row.plan,
      row.enabled ? 'yes' : 'no',
      row.numbers_count,
      row.created_at,
    ])
    return {
      json: rows,
      text: rows.length > 0 ? formatTable(headings, cells) : 'There is no project yet.',
    }
  },
})

export const remove = runtimeCommand({
  name: 'projects delete',
  about: 'Deletes a project: its keys stop working at once. It can be restored for 30 days.',
  options: { project: required(id, 'The project.') },
  async run({ project: project_id }, runtime) {
    const project = await findProject(runtime.db, project_id)
    await deletedProjects.remove(runtime, project_id)
    const other = project.pair_id && (await projects.find(runtime.db, project.pair_id))
    const stays = other ? ` The other project of the pair, ${other.id}, stays.` : ''
    return {
      json: { project_id, deleted: true },
      text:
        `Project ${project_id} is deleted and its keys no longer work. ` +
        `"projects restore" restores it within ${deletedProjects.keptDays()} days.${stays}`,
    }
  },
})

export const restore = runtimeCommand({
  name: 'projects restore',
  about: 'Restores a deleted project within 30 days.',
  options: { project: required(id, 'The project.') },
  async run({ project }, runtime) {
    const restored = await deletedProjects.restore(runtime, project)
    if (!restored) {
      throw new CommandError(
        `There is no deleted project ${project} that can be restored. After ` +
          `${deletedProjects.keptDays()} days everything of a deleted project is removed.`,
      )
    }
    const { id: project_id, name } = restored
    return { json: { project_id, name }, text: `Project ${project_id} works again.` }
  },
})

export const verify = runtimeCommand({
  name: 'projects verify',
  about: 'Approves a verification level, or withdraws the approval.',
  options: {
    project: required(id, 'The project.'),
    level: required(oneOf(projects.approvedLevels), 'The verification level.'),
    status: required(oneOf(['approved', 'not_started']), 'The result.'),
  },
  async run({ project: project_id, level, status }, runtime) {
    await findProject(runtime.db, project_id)
    const row = await projects.setVerification(runtime.db, { project_id, level, status })
    const shown = row && projects.listVerificationLevels(row).find((one) => one.level === level)
    if (!shown) throw noProject(project_id)
    return { json: shown, text: formatFields(shown) }
  },
})

export const goLive = runtimeCommand({
  name: 'projects go-live',
  about: 'Switches one rail of a project to live, or back to test mode.',
  options: {
    project: required(id, 'The project.'),
    rail: required(oneOf(projects.railNames), 'The rail.'),
    undo: flag('Switches back to test mode.'),
  },
  async run({ project: project_id, rail, undo }, runtime) {
    const project = await findProject(runtime.db, project_id)
    if (project.shape === 'test' && !undo) {
      throw new CommandError(
        `Project ${project_id} is the test project of a pair and makes no real calls or payments: ` +
          `its live project is ${project.pair_id}.`,
      )
    }
    if (!undo && !listRailProviders(runtime.config)[rail]) {
      throw new CommandError(
        `This installation has no provider for ${rail}: it stays in test mode.`,
      )
    }
    const row = await projects.setRail(runtime.db, {
      project_id,
      rail,
      mode: undo ? 'test' : 'live',
    })
    if (!row) throw noProject(project_id)
    const { rails } = projects.present(row, modeOf(row))
    return { json: rails, text: formatFields(rails) }
  },
})

export const set = runtimeCommand({
  name: 'projects set',
  about: 'Changes the spending cap, the plan and other facts of a project.',
  options: {
    project: required(id, 'The project.'),
    'spending-limit-eur': optional(euro({ zero: true }), 'Monthly spending cap; 0 removes it.'),
    plan: optional(oneOf(planNames), 'Its plan, free of charge; of both projects of a pair.'),
    enabled: optional(choice('true', 'false'), 'Whether its keys work.'),
    card: optional(choice('yes', 'no'), 'Whether a card is saved, confirmed with 3-D Secure.'),
    'payment-authenticated': optional(
      choice('yes', 'no'),
      'Whether a payment was confirmed with the bank, card or not.',
    ),
    'phone-verified': optional(choice('yes', 'no'), "Whether the owner's phone was verified."),
  },
  check(values) {
    const given = Object.values(values).filter((value) => value !== undefined)
    if (given.length === 1) throw new CommandError(nothingToSet)
  },
  async run({ project: project_id, 'spending-limit-eur': limit_micro, ...others }, runtime) {
    const { plan, enabled, card, 'phone-verified': phone_verified } = others
    const { 'payment-authenticated': payment_authenticated } = others
    const changes: projects.ProjectChanges = {
      ...(limit_micro === undefined
        ? {}
        : { spending_limit_micro: limit_micro === 0n ? null : limit_micro }),
      ...(enabled === undefined ? {} : { enabled }),
      ...(card === undefined ? {} : { card }),
      ...(payment_authenticated === undefined ? {} : { payment_authenticated }),
      ...(phone_verified === undefined ? {} : { phone_verified }),
    }
    await findProject(runtime.db, project_id)
    if (Object.keys(changes).length > 0)
      await projects.change(runtime.db, project_id, changes).catch(refuseHighCap)
    if (plan !== undefined) await plans.setByOperator(runtime, { project_id, plan })
    const row = await findProject(runtime.db, project_id)
    return { json: projects.present(row, modeOf(row)), text: formatFields(facts(row)) }
  },
})

const nothingToSet =
  '"projects set" needs something to set: --spending-limit-eur, --plan, --enabled, --card, --payment-authenticated or --phone-verified.'

/** Specification, Limits: a cap above 500 euro needs the verification level full. */
function refuseHighCap(error: unknown): never {
  if (!(error instanceof projects.SpendingCapTooHigh)) throw error
  throw new CommandError(
    `--spending-limit-eur above ${limits.spending_cap_unverified_eur_max} needs the verification ` +
      `level full, and so does 0 for a live project: run "projects verify --level full --status approved" first.`,
  )
}

/** Returns the project, or throws a CommandError. */
export async function findProject(db: Reader, project_id: string): Promise<ProjectRow> {
  const project = await projects.find(db, project_id)
  if (!project) throw noProject(project_id)
  return project
}

/** Returns the given project id; without one, the only project's. Throws a CommandError otherwise. */
export async function projectOrOnly(
  db: Reader,
  command: string,
  project_id: string | undefined,
): Promise<string> {
  if (project_id !== undefined) return (await findProject(db, project_id)).id
  const [only, ...others] = await projects.list(db)
  if (only && others.length === 0) return only.id
  throw new CommandError(
    only
      ? `"${command}" needs --project ID: there are ${others.length + 1} projects, see "projects list".`
      : 'There is no project yet: create one with "projects create".',
  )
}

function noProject(project_id: string): CommandError {
  return new CommandError(`There is no project ${project_id}. "projects list" lists them.`)
}

/** The mode of a project's keys. */
export function modeOf(project: ProjectRow): 'live' | 'test' {
  return project.shape === 'test' ? 'test' : 'live'
}

/** A project's facts for the operator, more than `GET /project` shows. */
function facts(row: ProjectRow) {
  const limit = row.spending_limit_micro
  return {
    id: row.id,
    name: row.name,
    shape: row.shape,
    pair_id: row.pair_id,
    plan: row.plan,
    enabled: row.enabled,
    owner_email: row.owner_email,
    spending_limit_eur: limit === null ? null : euroFromMicro(limit),
    card: row.card,
    phone_verified: row.phone_verified,
    numbers_count: row.numbers_count,
    created_at: row.created_at.toISOString(),
  }
}
