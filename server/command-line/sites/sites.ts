/** Commands for sites: list, rollback, and decisions on reviews. */
import * as sitesArea from '../../areas/sites/service.ts'
import { limits } from '../../contract/limits.ts'
import { runtimeCommand } from '../command.ts'
import { flag, id, line, optional, required, type OptionParser } from '../option-parsers.ts'
import { CommandError } from '../command-error.ts'
import { withPublicUrl, callerFor } from './site-caller.ts'
import { toCommandError } from './site-errors.ts'
import { formatFields, formatTable } from '../output.ts'

const REASON_CHARACTERS_MAX = 500
const REVIEWS_SHOWN_MAX = 200
const VERSION_MAX = 1_000_000

const version: OptionParser<number> = {
  value: 'N',
  read(text) {
    const number = Number(text)
    if (Number.isInteger(number) && number >= 1 && number <= VERSION_MAX) return number
    throw new CommandError(
      `must be the number of a version, such as 3, not ${JSON.stringify(text)}.`,
    )
  },
}

const ofProject = optional(id, 'The project; optional if there is only one.')

export const list = runtimeCommand({
  name: 'sites list',
  about: 'Lists the sites of a project with their addresses, newest first.',
  options: { project: ofProject },
  async run({ project }, runtime) {
    const caller = await callerFor(runtime, 'sites list', project)
    const { data } = await sitesArea.list(caller, { limit: limits.page_limit_max })
    const headings = ['ID', 'SLUG', 'STATUS', 'SEEN BY', 'VERSION', 'FILES', 'DEPLOYED', 'ADDRESS']
    const cells = data.map((site) => [
      site.id,
      site.slug,
      site.status,
      site.visibility,
      site.version,
      site.files_count,
      site.deployed_at,
      site.url,
    ])
    const none = 'The project has no site yet: "deploy DIR --slug S" publishes one.'
    return { json: data, text: data.length > 0 ? formatTable(headings, cells) : none }
  },
})

export const rollback = runtimeCommand({
  name: 'sites rollback',
  about: 'Makes an earlier version of a site live again, at once.',
  options: {
    slug: required(line(limits.site_slug_characters_max), 'The slug of the site.'),
    to: optional(version, 'The version; by default the one before the live one.'),
    project: ofProject,
  },
  async run({ slug, to: wanted, project }, runtime) {
    const caller = await callerFor(runtime, 'sites rollback', project)
    const { data } = await sitesArea.list(caller, { limit: limits.page_limit_max })
    const found = data.find((site) => site.slug === slug)
    if (!found)
      throw new CommandError(`The project has no site ${slug}. "sites list" shows its sites.`)
    const site = await toCommandError({ '/version': '--to' }, () =>
      sitesArea.rollback(caller, found.id, wanted),
    )
    const text = `${site.url} shows version ${site.version} again (it showed ${found.version}).`
    return { json: site, text }
  },
})

export const reviews = runtimeCommand({
  name: 'sites reviews',
  about: 'Lists refused deploys and sites taken offline, newest first.',
  options: { open: flag('Only appeals without a decision.') },
  async run({ open = false }, runtime) {
    const rows = (await sitesArea.listReviews(runtime.db, { open, count: REVIEWS_SHOWN_MAX })).map(
      facts,
    )
    const text = rows.map((row) => {
      const found = row.findings.map(({ path, line, what }) => `  ${placed(path, line)}${what}`)
      const { findings: _, ...others } = row
      return [formatFields(others), ...found].join('\n')
    })
    const none = open ? 'No appeal waits for a decision.' : 'Nothing was refused.'
    return { json: rows, text: text.length > 0 ? text.join('\n\n') : none }
  },
})

function placed(path: string, line: number | null): string {
  if (path === '') return ''
  return line === null ? `${path}: ` : `${path}:${line}: `
}

function facts(review: sitesArea.Review) {
  return {
    id: review.id,
    project_id: review.project_id,
    project_name: review.project_name,
    site_id: review.site_id,
    slug: review.slug,
    created_at: review.created_at.toISOString(),
    appealed_at: review.appealed_at?.toISOString() ?? null,
    appeal: review.appeal,
    appeal_email: review.appeal_email,
    decision: review.decision,
    decision_note: review.decision_note,
    decided_at: review.decided_at?.toISOString() ?? null,
    findings: review.findings.map(({ rule, path, line, what }) => ({ rule, path, line, what })),
  }
}

export const decide = runtimeCommand({
  name: 'sites decide',
  about: 'Decides about a review. The person who appealed gets a mail.',
  options: {
    review: required(id, 'The review, by the id that "sites reviews" shows.'),
    allow: flag('Allows the findings on this site from now on.'),
    uphold: flag('Upholds the decision; an offline site stays offline.'),
    note: optional(line(REASON_CHARACTERS_MAX), 'A note to the owner.'),
  },
  check({ allow, uphold }) {
    if (allow === uphold)
      throw new CommandError('"sites decide" needs one of --allow and --uphold.')
  },
  async run({ review: review_id, allow, note = null }, runtime) {
    const decision = allow ? 'allowed' : 'upheld'
    const decided = await sitesArea.decide(runtime, { review_id, decision, note })
    if (!decided) {
      throw new CommandError(`There is no review ${review_id}. "sites reviews" lists them.`)
    }
    const text = allow
      ? `The findings on ${decided.slug} are allowed there from now on.`
      : `The decision about ${decided.slug} stands.`
    return { json: facts(decided), text }
  },
})

export const takeOffline = runtimeCommand({
  name: 'sites take-offline',
  about: 'Takes a site offline at once, for abuse. Its owner gets the reason and can appeal.',
  options: {
    id: required(id, 'The site, by its id.'),
    reason: required(line(REASON_CHARACTERS_MAX), 'The reason, which the owner sees.'),
  },
  async run({ id: site_id, reason }, runtime) {
    const taken = await sitesArea.takeOffline(await withPublicUrl(runtime), { id: site_id, reason })
    if (!taken) throw noSite(site_id)
    const text = `${taken.slug} is offline. Its owner can object at ${taken.appeal_url}`
    return { json: taken, text }
  },
})

export const putOnline = runtimeCommand({
  name: 'sites put-online',
  about: 'Puts a site online again.',
  options: { id: required(id, 'The site, by its id.') },
  async run({ id: site_id }, runtime) {
    const put = await sitesArea.restoreOnline(runtime, site_id)
    if (!put) throw noSite(site_id)
    return { json: put, text: `${put.slug} is online.` }
  },
})

function noSite(site_id: string): CommandError {
  return new CommandError(`There is no site ${site_id}. "sites list" shows the sites of a project.`)
}
