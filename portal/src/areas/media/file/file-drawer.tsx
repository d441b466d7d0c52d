/** The details of one file: its preview, its description, its uses and its URLs. */
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Loaded } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { useTexts } from '../../../language/texts.ts'
import { Facts } from '../../../ui/display/facts.tsx'
import { RecordDrawer } from '../../../ui/overlays/drawer.tsx'
import { DeleteFile } from './delete-file.tsx'
import { FileDescription } from './file-description.tsx'
import { FileLinks } from './file-links.tsx'
import { FilePreview } from './file-preview.tsx'
import { FileUses } from './file-uses.tsx'
import { ReplaceFile } from './replace-file.tsx'
import { fileQuery, type Media } from '../queries.ts'
import { mediaTexts } from '../texts.ts'

export interface FileDrawerProps {
  id: string | null
  onClose(): void
}

export function FileDrawer({ id, onClose }: FileDrawerProps) {
  const t = useTexts(mediaTexts)
  const scope = useProjectScope()
  return (
    <RecordDrawer record={id} onClose={onClose} title={() => t('file')}>
      {(id) => (
        <Loaded query={fileQuery(scope, id)}>
          {(file) => (
            <>
              <FilePreview file={file} />
              <FileDescription key={descriptionOf(file)} file={file}>
                {file.status !== 'processing' && <ReplaceFile file={file} />}
                <DeleteFile file={file} onDone={onClose} />
              </FileDescription>
              <FileUses file={file} />
              {file.status === 'ready' && <FileLinks file={file} />}
              <Details file={file} />
            </>
          )}
        </Loaded>
      )}
    </RecordDrawer>
  )
}

/** Differs after a change of the description, but not after one of the focal point. */
function descriptionOf({ id, filename, alt, title, tags, folder }: Media): string {
  return JSON.stringify([id, filename, alt, title, tags, folder])
}

function Details({ file }: { file: Media }) {
  const t = useTexts(mediaTexts)
  const format = useFormat()
  const { width, height, duration_sec } = file
  return (
    <section className="border-t border-line pt-5 text-sm">
      <Facts
        facts={[
          [t('type'), file.content_type.split(';')[0]],
          [t('size'), format.bytes(file.bytes)],
          ...(width === null || height === null
            ? []
            : [[t('dimensions'), `${width} × ${height}`] as const]),
          ...(duration_sec === null
            ? []
            : [[t('duration'), t('seconds', { count: Math.round(duration_sec) })] as const]),
          [t('source'), t(`source_${file.source}`)],
          [t('added'), format.moment(file.created_at)],
        ]}
      />
    </section>
  )
}
