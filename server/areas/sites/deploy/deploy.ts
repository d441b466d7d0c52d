/**
 * Publishes the first and every later deploy of a site. Bytes are prepared without a lock; then one
 * transaction under the lock of the project checks every limit again, writes an immutable version
 * and makes it live. Readers see the old version or the new one as a whole, also after a crash.
 */
import { isTest, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { mergeProblems } from '../../../contract/problems/merged-problem.ts'
import { BlobMissing } from '../../../kernel/blobs/faults.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as files from '../../files/service.ts'
import * as projects from '../../projects/service.ts'
import { parseContent } from './content.ts'
import { deleteVersionsOfSite } from '../versions/forget.ts'
import { createFilesProblem } from '../files/paths.ts'
import { keepsOthers } from './home-page.ts'
import { prepareDeploy, type DeployDraft, type PreparedDeploy } from './prepare.ts'
import { presentDeployed } from '../present.ts'
import { requireCodeCheckAt } from '../reviews/recheck.ts'
import type { ReviewedSite } from '../reviews/reviews.ts'
import * as rights from '../rights.ts'
import type { DeployedSite, SiteDeploy, SiteInput } from '../schema.ts'
import { announceSites } from '../versions/serving.ts'
import {
  writeColumns,
  prepareSettings,
  requireConsistent,
  requireFreeSlug,
  reserveSlug,
  type ReadySettings,
} from '../change/settings.ts'
import { requireNotOffline, requireRevision, createUnknownSiteProblem } from '../sites.ts'
import { referenceShownMedia } from './shown-media.ts'
import { createLabel, createPreviewLabel, toTitle } from '../address/slug.ts'
import { insertTokenOfSite, moveTokens } from '../address/site-address.ts'
import * as store from '../store.ts'
import { runInSequence, transactInSequence } from '../change/sequence.ts'
import * as versions from '../versions/version-store.ts'

const ATTEMPTS_MAX = 4

/** POST /sites. */
export async function create(caller: Caller, input: SiteInput): Promise<DeployedSite> {
  const { runtime, db, project } = caller
  const { slug, title, visibility = 'public', spa = false } = input
  requireConsistent(input, null)
  const given = parseContent(input)
  await requireAll([
    async () => rights.requireMayBePublic(project, visibility),
    () => rights.requireRoomForSite(db, project),
    () => requireFreeSlug(db, slug, { project_id: project.id }),
  ])
  const { password_hash } = await prepareSettings(input, project.id)
  const key = { project_id: project.id, id: newId(runtime.clock) }
  const site = { id: null, slug, title: title ?? '', label: slug }
  // The forms of an unlisted site get its address later, when its row is written.
  const forms = { site_id: key.id, label: visibility === 'unlisted' ? null : slug }
  const draft = { given, live: [], collections: [], keep_others: false, spa, site, forms }
  const publication: Publication = {
    draft: async () => draft,
    async write(tx, prepared) {
      await rights.requireRoomForSite(tx, project)
      await reserveSlug(tx, slug, { ...key, is_new: true })
      const now = runtime.clock.now()
      return await store.insertSite(tx, {
        ...key,
        slug,
        label: createLabel(slug, visibility),
        title: title ?? prepared.title ?? toTitle(slug),
        status: 'live',
        visibility,
        password_hash,
        spa,
        live_version: 1,
        last_version: 1,
        collections: JSON.stringify(prepared.collections),
        test: isTest(caller),
        created_at: now,
        updated_at: now,
        deployed_at: now,
      })
    },
  }
  await rights.runCountedDeploy(caller, () => publish(caller, publication))
  return await showDeployed(caller, key)
}

/** Runs every check, and throws one Problem for all that failed. */
async function requireAll(checks: readonly (() => Promise<void>)[]): Promise<void> {
  const problems: Problem[] = []
  for (const check of checks) {
    await check().catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      problems.push(error)
    })
  }
  const merged = mergeProblems(problems)
  if (merged) throw merged
}

interface Deploy {
  id: string
  input: SiteDeploy
  if_match: number | null
}

/** PUT /sites/{id}. Deploys that keep live files run in sequence. */
export async function deploy(caller: Caller, asked: Deploy): Promise<DeployedSite> {
  await rights.requireSiteAccess(caller, asked.id)
  const keep_others = requireKeepsOthers(asked.input)
  return keep_others
    ? runInSequence(asked.id, () => deployOver(caller, { ...asked, keep_others }))
    : deployOver(caller, { ...asked, keep_others })
}

/**
 * Returns whether files of the live version stay. Throws if the input contradicts itself or leaves
 * no files.
 */
function requireKeepsOthers(input: SiteDeploy): boolean {
  if (input.keep_others === false && input.delete !== undefined) {
    throw createFilesProblem([
      { path: '/delete', message: 'has no meaning when keep_others is false' },
    ])
  }
  const keeps = keepsOthers(input)
  if (keeps || input.files !== undefined) return keeps
  throw createFilesProblem([{ path: '/files', message: 'is missing, and keep_others is not true' }])
}

async function deployOver(
  caller: Caller,
  { id, input, if_match, keep_others }: Deploy & { keep_others: boolean },
): Promise<DeployedSite> {
  const { runtime, db, project } = caller
  const key = { project_id: project.id, id }
  const found = await store.findSite(db, key)
  if (!found) throw createUnknownSiteProblem()
  requireNotOffline(runtime, found)
  requireRevision(found, if_match)
  requireConsistent(input, found)
  const given = parseContent(input)
  rights.requireMayBePublic(project, input.visibility ?? found.visibility)
  const settings = await prepareSettings(input, project.id)
  let base = found.live_version
  const publication: Publication = {
    async draft() {
      const site = await store.findSite(db, key)
      if (!site) throw createUnknownSiteProblem()
      base = site.live_version
      const live = await versions.findManifest(db, key, base)
      return {
        given,
        live: live?.files ?? [],
        collections: site.collections,
        keep_others,
        spa: input.spa ?? site.spa,
        site: reviewed(site, input),
        forms: { site_id: id, label: site.label },
      }
    },
    async write(tx, prepared) {
      const row = await store.lockSite(tx, key)
      if (!row) throw createUnknownSiteProblem()
      requireNotOffline(runtime, row)
      requireRevision(row, if_match)
      if (keep_others && row.live_version !== base) throw new Outdated()
      const after = await moveOn(tx, { row, settings, prepared, now: runtime.clock.now() })
      await moveTokens(tx, runtime, { before: row, after })
      return after
    },
  }
  await rights.runCountedDeploy(caller, async () => {
    await requireCodeCheckAt(caller, found, input.slug ?? found.slug)
    await publish(caller, publication)
  })
  return await showDeployed(caller, key)
}

/** The site after the deploy, for the check. */
function reviewed({ id, slug, title, label }: store.SiteRow, input: SiteDeploy): ReviewedSite {
  const { slug: wanted = slug } = input
  return {
    id,
    slug: wanted,
    label: wanted === slug ? label : wanted,
    title: input.title ?? title,
  }
}

/** Makes the next version live. */
async function moveOn(
  tx: Transaction,
  {
    row,
    settings,
    prepared,
    now,
  }: { row: store.SiteRow; settings: ReadySettings; prepared: PreparedDeploy; now: Date },
): Promise<store.SiteRow> {
  const number = row.last_version + 1
  return await store.updateSite(tx, row, {
    ...(await writeColumns(tx, row, settings)),
    live_version: number,
    last_version: number,
    collections: JSON.stringify(prepared.collections),
    updated_at: now,
    deployed_at: now,
  })
}

/** Another deploy was published between reading the live version and writing the new one. */
class Outdated extends Error {}

interface Publication {
  draft(): Promise<DeployDraft>
  /** Writes the site, with the new version as its last one. */
  write(tx: Transaction, prepared: PreparedDeploy): Promise<store.SiteRow>
}

/** Retries from the beginning if files were swept or the site changed meanwhile. */
async function publish(caller: Caller, publication: Publication): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const prepared = await prepareDeploy(caller, await publication.draft())
      return await transactInSequence(caller, (tx) => write(tx, { caller, prepared, publication }))
    } catch (error) {
      const is_last = attempt === ATTEMPTS_MAX
      // A repeated BlobMissing means lost bytes; the error is thrown so that an operator sees it.
      if (!happenedMeanwhile(error) || (is_last && error instanceof BlobMissing)) throw error
      if (is_last) {
        const detail = 'The site or its files were changed by others at the same time, repeatedly.'
        throw new Problem('conflict', detail, { cause: error })
      }
    }
  }
}

function happenedMeanwhile(error: unknown): boolean {
  const signs = [files.FileGone, BlobMissing, Outdated]
  return signs.some((sign) => error instanceof sign)
}

interface Writing {
  caller: Caller
  prepared: PreparedDeploy
  publication: Publication
}

async function write(tx: Transaction, { caller, prepared, publication }: Writing): Promise<void> {
  const { runtime } = caller
  const project = await projects.findLocked(tx, caller.project.id)
  if (!project) throw new Problem('project_deleted', 'The project was deleted meanwhile.')
  const site = await publication.write(tx, prepared)
  rights.requireMayBePublic(project, site.visibility)
  const key = { project_id: project.id, id: site.id }
  const { site_token } = prepared
  if (site_token !== null)
    await insertTokenOfSite(tx, runtime, { site, ...site_token, test: isTest(caller) })
  const ids = [...new Set(prepared.files.map(({ file_id }) => file_id))]
  await files.adoptFiles(tx, project.id, ids)
  await referenceShownMedia(tx, key, prepared.files)
  await versions.insertVersion(tx, {
    project_id: project.id,
    site_id: site.id,
    number: site.last_version,
    preview_label: createPreviewLabel(site.slug),
    files: JSON.stringify(prepared.files),
    rules: JSON.stringify(prepared.rules),
    files_count: prepared.files.length,
    bytes: BigInt(prepared.files.reduce((sum, { bytes }) => sum + bytes, 0)),
    collections: JSON.stringify(prepared.collections),
    warnings: JSON.stringify(prepared.warnings),
    test: isTest(caller),
    created_at: site.deployed_at,
  })
  await deleteVersionsOfSite(tx, key, {
    now: site.deployed_at,
    old: { until: site.last_version - limits.site_versions_kept_max, live: site.live_version },
  })
  announceSites(tx, runtime, site.project_id)
}

async function showDeployed(caller: Caller, key: store.SiteKey): Promise<DeployedSite> {
  const row = await store.findSite(caller.db, key)
  if (!row) throw createUnknownSiteProblem()
  return presentDeployed(row, caller.runtime.config)
}
