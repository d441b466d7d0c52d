/** Publishes a form: opens the collection to forms, and makes a page or a token. */
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { changeCollection, type Collection } from '../queries.ts'

type DeployedSite = Schemas['DeployedSite']
type NewToken = Schemas['ChatTokensCreateReply']

export interface PublishedPage {
  /** null: a new site. */
  site_id: string | null
  slug: string
  visibility: 'public' | 'unlisted'
  title: string
  path: string
  content: string
}

/** A form without an open collection would be refused, so that comes first. */
async function openToForms(scope: Scope, { name, public_write }: Collection): Promise<void> {
  if (!public_write) await changeCollection(scope, name, { public_write: true })
}

export async function publishPage(
  scope: Scope,
  row: Collection,
  { site_id, slug, visibility, title, path, content }: PublishedPage,
): Promise<DeployedSite> {
  await openToForms(scope, row)
  const files = [{ path, content }]
  if (site_id === null) {
    const params = inProject(scope)
    const body = { slug, visibility, title, files }
    return read(api.POST('/projects/{project_id}/sites', { params, body }))
  }
  const { path: place, header } = inProject(scope)
  const params = { path: { ...place, id: site_id }, header }
  const body = { files, keep_others: true }
  return read<DeployedSite>(api.PUT('/projects/{project_id}/sites/{id}', { params, body }))
}

export async function createToken(
  scope: Scope,
  row: Collection,
  origin: string,
): Promise<NewToken> {
  await openToForms(scope, row)
  const params = inProject(scope)
  const body = { name: row.title.slice(0, 100), allowed_origins: [origin] }
  return read(api.POST('/projects/{project_id}/chat-tokens', { params, body }))
}
