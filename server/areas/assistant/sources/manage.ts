/** The rules of sources: list, add, read, delete and index again. */
import { isTest, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import { formatSize } from '../../../kernel/values/size.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as projects from '../../projects/service.ts'
import { findAddressFault } from './address.ts'
import { enqueueIndexing } from './index-jobs.ts'
import { newSource, type SourceContent } from './new-source.ts'
import * as pages from './page-store.ts'
import { documentTypes } from './reading/read-document.ts'
import type { Source, SourceDetail, SourceInput, SourceList } from './schema.ts'
import * as store from './source-store.ts'

export async function list(caller: Caller, query: PageQuery): Promise<SourceList> {
  const project_id = caller.project.id
  const { data, next_cursor } = await readPage(caller, {
    list: 'assistant_sources',
    query,
    read: (count, after) => store.listSources(caller.db, { project_id, id: null, count, after }),
  })
  return { data: data.map(present), next_cursor }
}

export async function find(caller: Caller, id: string): Promise<SourceDetail> {
  const row = await findListed(caller, id)
  const count = limits.assistant_source_pages_max
  const key = { project_id: caller.project.id, id }
  const found = row.kind === 'collection' ? [] : await pages.listPages(caller.db, key, { count })
  const page_list = found.map(({ url, title, state, error, read_at }) => {
    return { url, title, status: state, error, read_at: read_at?.toISOString() ?? null }
  })
  return { ...present(row), text: row.text, page_list }
}

/** Adds a source. The sources are counted under the row lock of the project. */
export async function create(caller: Caller, input: SourceInput): Promise<Source> {
  const { db, runtime, project } = caller
  const content = await readContent(caller, input)
  const now = runtime.clock.now()
  const row = newSource(
    { ...content, project_id: project.id, id: newId(runtime.clock), test: isTest(caller) },
    now,
  )
  await db.transact(async (tx) => {
    await projects.lock(tx, project.id)
    const { count, same_id } = await store.countSources(tx, row)
    if (same_id !== null) {
      throw new Problem('conflict', `The source ${same_id} has the same content. Refresh it.`)
    }
    if (count >= limits.assistant_sources_max) {
      throw new Problem(
        'assistant_source_limit_reached',
        `The project has ${count} sources, the most it can have.`,
      )
    }
    await store.insertSource(tx, row)
    await enqueueIndexing(tx, runtime, { project_id: project.id })
  })
  return present({ ...row, collection: null, chunks: 0, bytes: 0 })
}

export async function remove(caller: Caller, id: string): Promise<void> {
  const listed = await findListed(caller, id)
  if (listed.managed_by !== 'sources') throw managedElsewhere(listed)
  const key = { project_id: caller.project.id, id }
  await caller.db.transact(async (tx) => {
    if ((await store.lockSource(tx, key)) === undefined) throw unknownSource()
    await store.deleteSource(tx, key)
  })
}

export async function refresh(caller: Caller, id: string): Promise<Source> {
  const { db, runtime, project } = caller
  const listed = await findListed(caller, id)
  if (listed.kind === 'collection') {
    throw new Problem('conflict', 'Documents of a collection are indexed when they are written.')
  }
  const key = { project_id: project.id, id }
  await db.transact(async (tx) => {
    const row = await store.lockSource(tx, key)
    if (row === undefined) throw unknownSource()
    if (row.status === 'pending') {
      throw new Problem('assistant_source_busy', 'This source is being indexed now.')
    }
    const restarted = store.restarted(row, runtime.clock.now())
    await store.changeSource(tx, key, { ...restarted, attempts: 0 })
    await enqueueIndexing(tx, runtime, { project_id: project.id })
  })
  return present(await findListed(caller, id))
}

/** Throws not_found. */
export async function findListed(
  { db, project }: Pick<Caller, 'db' | 'project'>,
  id: string,
): Promise<store.ListedSource> {
  const wanted = { project_id: project.id, id, count: 1, after: null }
  const [row] = await store.listSources(db, wanted)
  if (row === undefined) throw unknownSource()
  return row
}

function unknownSource(): Problem {
  return new Problem('not_found', 'The assistant of this project has no source with this id.')
}

function managedElsewhere({ managed_by, collection }: store.ListedSource): Problem {
  const detail =
    managed_by === 'assistant'
      ? 'This is the website_url of the assistant. Change it with PUT /assistant.'
      : `This is the collection ${collection}. Change its assistant_facts with PATCH /collections/${collection}.`
  return new Problem('conflict', detail)
}

type Content = Omit<SourceContent, 'project_id' | 'id' | 'test'>

/** Which fields each kind needs. Other fields are refused, so that none is silently ignored. */
const needed = {
  website: ['url'],
  site: ['site_id'],
  text: ['title', 'text'],
  media: ['media_id'],
} as const

async function readContent(caller: Caller, input: SourceInput): Promise<Content> {
  const { kind } = input
  const names: readonly string[] = needed[kind]
  const given = Object.keys(input).filter((name) => name !== 'kind')
  refuse([
    ...names
      .filter((name) => !given.includes(name))
      .map((name) => ({ path: `/${name}`, message: `is required for the kind ${kind}` })),
    ...given
      .filter((name) => !names.includes(name))
      .map((name) => ({ path: `/${name}`, message: `does not belong to the kind ${kind}` })),
  ])
  const { url = '', site_id = '', media_id = '', title = '', text = '' } = input
  switch (kind) {
    case 'website':
      return readWebsite(caller, url)
    case 'site':
      return readSite(caller, site_id)
    case 'media':
      return readMedia(caller, media_id)
    case 'text':
      return { kind, title: title.trim(), text }
  }
}

async function readWebsite({ runtime }: Caller, url: string): Promise<Content> {
  const message = await findAddressFault(runtime, url)
  if (message !== null) refuse([{ path: '/url', message }])
  const address = new URL(url)
  address.hash = ''
  return { kind: 'website', title: address.host, url: address.href }
}

async function readSite({ db, project }: Caller, site_id: string): Promise<Content> {
  const site = await store.findSite(db, { project_id: project.id, id: site_id })
  if (site === null) refuse([{ path: '/site_id', message: 'is no site of this project' }])
  return { kind: 'site', title: site?.title ?? '', site_id }
}

async function readMedia({ db, project }: Caller, media_id: string): Promise<Content> {
  const media = await store.findMedia(db, { project_id: project.id, id: media_id })
  const path = '/media_id'
  if (media === null) throw refusal([{ path, message: 'is no file of the media library' }])
  const is_document = documentTypes.some((type) => media.content_type.startsWith(type))
  if (!is_document) refuse([{ path, message: 'must be a PDF or DOCX file' }])
  if (media.status !== 'ready') refuse([{ path, message: `is not ready: it is ${media.status}` }])
  const bytes_max = limits.assistant_document_bytes_max
  if (Number(media.bytes) > bytes_max)
    refuse([{ path, message: `must be at most ${formatSize(bytes_max)}` }])
  return { kind: 'media', title: media.title ?? media.filename, media_id }
}

interface Fault {
  path: string
  message: string
}

function refuse(errors: readonly Fault[]): void {
  if (errors.length > 0) throw refusal(errors)
}

function refusal(errors: readonly Fault[]): Problem {
  const detail = errors.map(({ path, message }) => `${path} ${message}.`).join(' ')
  return new Problem('validation_failed', detail, { errors: [...errors] })
}

type Presented = Omit<store.ListedSource, 'text'>

function present(row: Presented): Source {
  const { pages_done: done, pages_total: total, due_at, status } = row
  return {
    id: row.id,
    kind: row.kind,
    managed_by: row.managed_by,
    title: row.title,
    url: row.url,
    site_id: row.site_id,
    media_id: row.media_id,
    collection: row.collection,
    status,
    progress: status === 'pending' ? { done, total } : null,
    pages: row.pages,
    chunks: row.chunks,
    bytes: row.bytes,
    indexed_at: row.indexed_at?.toISOString() ?? null,
    next_refresh_at: status === 'pending' ? null : (due_at?.toISOString() ?? null),
    error: row.error,
    test: row.test,
    created_at: row.created_at.toISOString(),
  }
}
