/** Publishes files: uploads those that the project lacks, then publishes all as one version. */
import type { QueryClient } from '@tanstack/react-query'
import { api, inProject, read, type Scope } from '../../../api/client.ts'
import { sendFile } from '../../../work/send-file.ts'
import { startWork, type Worker } from '../../../work/work.ts'
import { sitesKey, type NewSite, type Site, type SiteFile } from '../queries.ts'
import { setDraft } from './draft.ts'
import type { HashedFile } from './hashed-files.ts'

interface Given {
  scope: Scope
  client: QueryClient
  files: readonly HashedFile[]
  /** Name of the folder. */
  name: string
}

interface FirstDeploy extends Given {
  target: NewSite
}

interface NextDeploy extends Given {
  target: Site
  live: readonly SiteFile[]
  way: 'replace' | 'add'
}

export type Deploy = FirstDeploy | NextDeploy

/** Starts the deploy and returns at once. Every page shows the progress. */
export function startDeploy(deploy: Deploy): void {
  const { scope, client, files, name, target } = deploy
  startWork({
    project_id: scope.project_id,
    title: target.slug,
    correction: {
      path: 'id' in target ? `/sites/${target.id}` : '/sites',
      open: () => setDraft({ name, files, entered: 'id' in target ? null : target }),
    },
    async run(worker) {
      await sendMissing(deploy, worker)
      worker.report({ stage: 'finishing' })
      const { id } = await publish(deploy)
      worker.report({ path: `/sites/${id}` })
      await client.invalidateQueries({ queryKey: sitesKey(scope) })
    },
  })
}

const SENT_AT_ONCE = 4

async function sendMissing({ scope, files }: Deploy, { signal, report }: Worker): Promise<void> {
  const params = inProject(scope)
  const body = { files: files.map(announced) }
  const { uploads } = await read(
    api.POST('/projects/{project_id}/sites/uploads', { params, body, signal }),
  )
  const waiting = uploads.flatMap((link, index) => {
    const file = files[index]?.file
    return link.status === 'needed' && file !== undefined ? [{ link, file }] : []
  })
  const total = waiting.reduce((sum, { file }) => sum + file.size, 0)
  const sent = new Map<string, number>()
  const lanes = Array.from({ length: SENT_AT_ONCE }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { link, file } = next
      await sendFile({
        link,
        file,
        signal,
        onSent(bytes) {
          sent.set(link.upload_id, bytes)
          const done = [...sent.values()].reduce((sum, one) => sum + one, 0)
          report({ stage: 'sending', progress: Math.min(done / Math.max(total, 1), 1) })
        },
      })
    }
  })
  await Promise.all(lanes)
}

function announced({ path, file, sha256 }: HashedFile) {
  return { path, sha256, bytes: file.size }
}

function publish(deploy: Deploy): Promise<Site> {
  const { path, header } = inProject(deploy.scope)
  const files = deploy.files.map(announced)
  if (!('live' in deploy)) {
    const body = { ...deploy.target, files }
    return read<Site>(api.POST('/projects/{project_id}/sites', { params: { path, header }, body }))
  }
  const params = { path: { ...path, id: deploy.target.id }, header }
  const body = deploy.way === 'add' ? { files, keep_others: true } : { files, media: kept(deploy) }
  return read<Site>(api.PUT('/projects/{project_id}/sites/{id}', { params, body }))
}

/**
 * Returns the pictures of the media library that the live version shows, without those that a new
 * file replaces.
 */
function kept({ live, files }: NextDeploy) {
  const paths = new Set(files.map(({ path }) => path))
  return live.flatMap(({ media_id, path }) =>
    media_id === null || paths.has(path) ? [] : [{ media_id, path }],
  )
}
