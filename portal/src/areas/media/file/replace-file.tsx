/** Replaces the content of a file, wherever sites show it. */
import { useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import type { Scope } from '../../../api/client.ts'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { FileButton } from '../../../ui/forms/drop-area.tsx'
import { say, showError } from '../../../ui/overlays/toast.tsx'
import { startWork, type Worker } from '../../../work/work.ts'
import { deleteFile, forgetContents, replaceFile, type Media, type Replaced } from '../queries.ts'
import { useMediaTexts } from '../texts.ts'
import { announce, complete, sendBytes } from '../upload/send-media.ts'

const SENT_SHARE = 0.9
const accepted = {
  image: 'image/*',
  video: 'video/*',
  audio: 'audio/*',
  document: undefined,
  other: undefined,
}

export function ReplaceFile({ file }: { file: Media }) {
  const t = useMediaTexts()
  const scope = useProjectScope()
  const client = useQueryClient()
  const accept = accepted[file.kind]
  const start = (content: File) =>
    startWork({
      project_id: scope.project_id,
      title: t('replacing', { filename: file.filename }),
      async run(worker) {
        const { sites } = await replace(worker, { scope, file, content })
        await forgetContents(client, scope)
        worker.report({ path: '/media' })
        report(sites)
      },
    })
  const report = (sites: Replaced['sites']) => {
    const refused = sites.flatMap(({ problem }) => problem ?? [])
    if (refused.length > 0)
      return showError(t('replaced_refused', { count: refused.length }), refused[0] ?? null)
    say(sites.length === 0 ? t('replaced') : t('replaced_sites', { count: sites.length }))
  }
  return (
    <FileButton
      multiple={false}
      {...(accept !== undefined && { accept })}
      onChoose={([content]) => content !== undefined && start(content)}
    >
      <RefreshCw aria-hidden="true" />
      {t('replace')}
    </FileButton>
  )
}

interface Replacing {
  scope: Scope
  file: Media
  content: File
}

/** Adds the new content to the library as a file of its own, which the replacement takes over. */
async function replace(
  { signal, report }: Worker,
  { scope, file, content }: Replacing,
): Promise<Replaced> {
  const [link] = await announce({ scope, signal, files: [content] })
  if (link === undefined) throw new Error('The server gave no link.')
  const onSent = (bytes: number) =>
    report({ stage: 'sending', progress: (bytes / content.size) * SENT_SHARE })
  const upload_id = await sendBytes({ scope, signal, file: content, link, onSent })
  report({ stage: 'finishing' })
  const { id, status_reason, status } = await complete(scope, upload_id, signal)
  try {
    if (status !== 'ready') throw new Error(status_reason ?? status)
    return await replaceFile(scope, file.id, id)
  } catch (error) {
    // The new file is of no use without the replacement.
    await deleteFile(scope, id).catch(() => null)
    throw error
  }
}
