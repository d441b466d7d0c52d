/**
 * `deploy DIR --slug S` publishes a folder as a site or as its next version. It stores only files
 * that the project does not have, then publishes with the same limits and checks as the API.
 */
import { readFile } from 'node:fs/promises'
import * as files from '../../areas/files/service.ts'
import { findMedia } from '../../areas/media/service.ts'
import * as sites from '../../areas/sites/service.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Loss } from '../../contract/operation.ts'
import { limits } from '../../contract/limits.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { command, type CommandContext } from '../command.ts'
import { readFolder, type FolderFile } from './deploy-folder.ts'
import { withRuntime } from '../database-access.ts'
import {
  file,
  flag,
  id,
  line,
  listOf,
  oneOf,
  optional,
  required,
  type OptionParser,
} from '../option-parsers.ts'
import { CommandError } from '../command-error.ts'
import { recordCommand } from '../record-command.ts'
import { callerFor } from './site-caller.ts'
import { toCommandError } from './site-errors.ts'
import { formatCount, formatFields } from '../output.ts'

const TITLE_CHARACTERS_MAX = 200
const SKIPPED_SHOWN_MAX = 20

const slug: OptionParser<string> = {
  value: 'SLUG',
  read(text) {
    const fits = text.length >= 2 && text.length <= limits.site_slug_characters_max
    if (fits && /^[a-z0-9](?:-?[a-z0-9])+$/.test(text)) return text
    throw new CommandError(
      `must be 2 to ${limits.site_slug_characters_max} lower-case letters, digits and single ` +
        `hyphens between them, such as bakery-de-molen, not ${JSON.stringify(text.slice(0, 60))}.`,
    )
  },
}

const password: OptionParser<string> = {
  value: 'PASSWORD',
  read(text) {
    const { site_password_characters_min: least, site_password_characters_max: most } = limits
    if (text.length >= least && text.length <= most) return text
    throw new CommandError(`must have ${least} to ${most} characters.`)
  },
}

interface PlacedMedia {
  media_id: string
  path: string
}

const placedMedia: OptionParser<PlacedMedia> = {
  value: 'PATH=ID',
  read(text) {
    const at = text.lastIndexOf('=')
    if (at < 1) throw new CommandError('must be a path and an id, such as img/door.jpg=019ab3f0-….')
    return { path: text.slice(0, at), media_id: id.read(text.slice(at + 1)) }
  },
}

const media = listOf(placedMedia)

export const deploy = command({
  name: 'deploy',
  about: 'Publishes a folder as a site, or as its next version, and prints the address.',
  bare: 'dir',
  options: {
    dir: required(
      { ...file, value: 'DIR' },
      'The folder with the files of the site, such as dist.',
    ),
    slug: required(slug, 'The first part of the address.'),
    title: optional(
      line(TITLE_CHARACTERS_MAX),
      'The title of the site; by default that of its index.html.',
    ),
    visibility: optional(
      oneOf(['public', 'unlisted', 'password']),
      'The visibility; public at the first deploy, later unchanged by default.',
    ),
    password: optional(password, 'The password for visitors, with visibility password.'),
    spa: flag('Serves index.html for missing pages.'),
    media: optional(media, 'Files of the media library to publish, each with a path on the site.'),
    'without-media': flag('Removes the media that the site has now.'),
    yes: flag('Publishes without a question, even if this removes the home page.'),
    project: optional(id, 'The project; optional if there is only one.'),
  },
  async run({ dir, project, ...wanted }, context) {
    const folder = readFolder(dir)
    return withRuntime(context.settings(), async (runtime) => {
      const caller = await callerFor(runtime, 'deploy', project)
      const stored = await storeFiles(caller, folder.files, context)
      context.progress('Publishing …')
      const given = { name: 'deploy', values: { project: caller.project.id } }
      const site = await recordCommand(runtime, given, () =>
        publish(caller, { ...wanted, manifest: stored.manifest }, context),
      )
      const { uploaded_files, uploaded_bytes } = stored
      const { skipped } = folder
      const json = { ...site, uploaded_files, uploaded_bytes, skipped }
      return { json, text: reportText(site, { ...stored, skipped }) }
    })
  },
})

type Manifest = { path: string; sha256: string; bytes: number }[]

interface Stored {
  manifest: Manifest
  uploaded_files: number
  uploaded_bytes: number
}

/** Stores the project's missing files one by one. Nothing is public yet. */
async function storeFiles(
  { runtime, project }: Caller,
  found: readonly FolderFile[],
  context: CommandContext,
): Promise<Stored> {
  // Checked before files are read or stored.
  sites.requireSizeLimits(found)
  const read = await Promise.all(
    found.map(async ({ path, file: name }) => {
      const content = await readFile(name)
      return { path, content, digest: sha256(content).toString('hex') }
    }),
  )
  const manifest = read.map(({ path, content, digest }) => {
    return { path, sha256: digest, bytes: content.length }
  })
  const known = await files.findFiles(
    runtime,
    project.id,
    read.map(({ digest }) => digest),
  )
  const there = new Set(known.map(({ sha256 }) => sha256))
  const missing = [...new Map(read.map((one) => [one.digest, one])).values()].filter(
    ({ digest }) => !there.has(digest),
  )
  const total = missing.reduce((sum, { content }) => sum + content.length, 0)
  let done = 0
  for (const { path, content } of missing) {
    context.progress(`${bar(done, total)} ${path}`)
    await files.storeFile(runtime, project, content)
    done += content.length
  }
  return { manifest, uploaded_files: missing.length, uploaded_bytes: total }
}

const BAR_CHARACTERS = 24

function bar(done: number, total: number): string {
  const part = total === 0 ? 1 : done / total
  const filled = Math.round(part * BAR_CHARACTERS)
  const percent = String(Math.round(part * 100)).padStart(3)
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_CHARACTERS - filled)} ${percent}%`
}

interface Wanted {
  slug: string
  title: string | undefined
  visibility: 'public' | 'unlisted' | 'password' | undefined
  password: string | undefined
  spa: boolean
  media: PlacedMedia[] | undefined
  'without-media': boolean
  yes: boolean
  manifest: Manifest
}

/** Publishes a new version of the site with this slug, or creates the site. */
async function publish(
  caller: Caller,
  { slug: name, title, visibility, password: word, spa, manifest, ...wanted }: Wanted,
  context: CommandContext,
): Promise<sites.DeployedSite> {
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  const existing = data.find((site) => site.slug === name)
  const shown = existing && !wanted['without-media'] ? await mediaOf(caller, existing.id) : []
  const placed = new Set([...manifest, ...(wanted.media ?? [])].map(({ path }) => path))
  const input = {
    files: manifest,
    media: [...(wanted.media ?? []), ...shown.filter(({ path }) => !placed.has(path))],
    ...(title !== undefined && { title }),
    ...(visibility !== undefined && { visibility }),
    ...(word !== undefined && { password: word }),
    ...(spa && { spa }),
  }
  const files = manifest.map(({ path }, index) => [`/files/${index}`, path] as const)
  return toCommandError({ ...optionNames, ...Object.fromEntries(files) }, async () => {
    if (!existing) return sites.create(caller, { slug: name, ...input })
    const loss = await sites.findHomePageLoss(caller, existing.id, input)
    if (loss && !wanted.yes) await requireYes(loss, context)
    return sites.deploy(caller, { id: existing.id, input, if_match: null })
  })
}

async function requireYes({ about }: Loss, context: CommandContext): Promise<void> {
  const said = await context.confirm(`${about} Publish it?`)
  if (said === true) return
  const how = said === null ? ' Add index.html to the folder, or say --yes to publish it so.' : ''
  throw new CommandError(`${about} Nothing was published.${how}`)
}

/** Returns the media of the live version that still exist in the library. */
async function mediaOf(caller: Caller, site_id: string): Promise<PlacedMedia[]> {
  const { data } = await sites.listFiles(caller, site_id, undefined)
  const shown = data.flatMap(({ media_id, path }) =>
    media_id === null ? [] : [{ media_id, path }],
  )
  const ids = shown.map(({ media_id }) => media_id)
  const known = await findMedia(caller.db, caller.project.id, ids)
  const there = new Set(known.map((one) => one.id))
  return shown.filter(({ media_id }) => there.has(media_id))
}

/** Option names for fields of the API. */
const optionNames = {
  '/slug': '--slug',
  '/title': '--title',
  '/visibility': '--visibility',
  '/password': '--password',
  '/spa': '--spa',
  '/media': '--media',
}

function reportText(
  site: sites.DeployedSite,
  {
    uploaded_files,
    uploaded_bytes,
    manifest,
    skipped,
  }: Stored & { skipped: { path: string; why: string }[] },
): string {
  const { url, preview_url, version, files_count, warnings } = site
  const same = new Set(manifest.map(({ sha256 }) => sha256)).size - uploaded_files
  const facts = formatFields({
    address: url,
    version,
    'this version': preview_url,
    files: `${formatCount(files_count, 'file')}, ${formatCount(uploaded_files, 'file')} uploaded (${uploaded_bytes} bytes), ${same} unchanged`,
  })
  const left = skipped
    .slice(0, SKIPPED_SHOWN_MAX)
    .map(({ path, why }) => `Skipped: ${path} ${why}.`)
  const more = skipped.length - left.length
  const rest = more > 0 ? [`Skipped: ${more} more.`] : []
  return [facts, ...left, ...rest, ...warnings.map((warning) => `Warning: ${warning}`)].join('\n')
}
