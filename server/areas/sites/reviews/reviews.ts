/**
 * Applies the content check: a deploy with findings is refused, with the link of an appeal page. A
 * finding that an operator allowed does not block the same site again.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { checkIsolated } from '../check/check-isolated.ts'
import type { CheckedFile, Finding } from '../check/check.ts'
import { checkRules } from '../check/rules.ts'
import * as store from './review-store.ts'
import { toAppealUrl, formatPlace, deriveRefusalToken } from './review-token.ts'
import { toSiteUrl } from '../address/slug.ts'

/** The site after the deploy, for the check. */
export interface ReviewedSite {
  /** Id of the site; null for a new site. */
  id: string | null
  slug: string
  /** The first label of the site's hostname. */
  label: string
  title: string
  /** The error of a refused deploy: site_blocked by default, app_blocked for the app of the site. */
  refusal?: 'site_blocked' | 'app_blocked'
}

/** Maximum number of earlier reviews of a site that are searched for the same findings. */
const SAME_LOOKED_FOR_MAX = 20

/** Throws `refusal` if the files break a rule for which this site has no allowance. */
export async function requirePassedCheck(
  { runtime, db, project }: Caller,
  site: ReviewedSite,
  files: readonly CheckedFile[],
): Promise<void> {
  const { sites_domain, bad_links } = runtime.config
  const { slug, title, label, refusal = 'site_blocked' } = site
  const context = { slug, title, sites_domain, url: toSiteUrl(runtime.config, label) }
  const found = await checkIsolated(files, { ...context, project_id: project.id }, bad_links)
  if (found.length === 0) return
  const where = { project_id: project.id, site_id: site.id, slug }
  const allowed = new Set(
    (await store.listAllowedReviews(db, where)).flatMap(({ findings }) => digestsOf(findings)),
  )
  const findings = found.filter(({ digest }) => !allowed.has(digest))
  if (findings.length > 0)
    throw problemOf(refusal, findings, await findAppealUrl(runtime, where, findings))
}

function digestsOf(findings: readonly { digest: string }[]): string[] {
  return findings.map(({ digest }) => digest)
}

type Where = Parameters<typeof store.listAllowedReviews>[1]

/** A repeated refusal has the same appeal page, so that one appeal suffices. */
async function findAppealUrl(
  runtime: Runtime,
  where: Where,
  findings: readonly Finding[],
): Promise<string> {
  const digests = digestsOf(findings).sort().join()
  const others = await store.listUndecidedReviews(runtime.db, where, SAME_LOOKED_FOR_MAX)
  const same = others.find((one) => digestsOf(one.findings).sort().join() === digests)
  const { id } = same ?? (await keepRefusal(runtime, where, findings))
  return toAppealUrl(runtime, deriveRefusalToken(runtime, { ...where, id }))
}

function keepRefusal(
  runtime: Runtime,
  { project_id, site_id, slug }: Where,
  findings: readonly Finding[],
): Promise<store.ReviewRow> {
  const id = newId(runtime.clock)
  const token_hash = sha256(deriveRefusalToken(runtime, { project_id, id }))
  const kept = findings.map(({ rule, path, line, what, digest }) => {
    return { rule, path, line, what, digest }
  })
  return runtime.db.transact((tx) =>
    store.putReview(tx, {
      project_id,
      id,
      site_id,
      slug,
      findings: JSON.stringify(kept),
      token_hash,
      created_at: runtime.clock.now(),
    }),
  )
}

function problemOf(
  slug: 'site_blocked' | 'app_blocked',
  findings: readonly Finding[],
  appeal_url: string,
): Problem {
  const [first] = findings
  const more = findings.length - 1
  const rest =
    more > 0 ? ` There ${more === 1 ? 'is 1 more finding' : `are ${more} more findings`}.` : ''
  const detail = first
    ? `${formatPlace(first)}: ${first.what} ${first.why}${rest}`
    : 'The check refused it.'
  return new Problem(slug, detail, {
    fields: {
      appeal_url,
      findings: findings.map(({ rule, path, line, what, why }) => {
        return { path, line, rule, what, why, instead: checkRules[rule].instead }
      }),
    },
  })
}
