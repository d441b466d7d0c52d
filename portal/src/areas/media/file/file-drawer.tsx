/** The details of one file: its preview, its description, its uses and its URLs. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import { ConfirmedAct } from '../../../api/confirmed-act.tsx'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Loaded } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { CopyButton } from '../../../ui/actions/copy-button.tsx'
import { Facts } from '../../../ui/display/facts.tsx'
import { RecordDrawer } from '../../../ui/overlays/drawer.tsx'
import { sitesQuery } from '../../sites/queries.ts'
import { fileQuery, linkTo, deleteFile, mediaKey, type Media, type Width } from '../queries.ts'
import { useMediaTexts } from '../texts.ts'
import { FileDescription } from './file-description.tsx'
import { FilePreview } from './file-preview.tsx'
import { ReplaceFile } from './replace-file.tsx'

const widths: readonly Width[] = [320, 640, 960, 1280, 1920]

export interface FileDrawerProps {
  id: string | null
  onClose(): void
}

export function FileDrawer({ id, onClose }: FileDrawerProps) {
  const t = useMediaTexts()
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
  const t = useMediaTexts()
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

/** Buttons that copy URLs of a file, or of a resized copy of a picture. */
function FileLinks({ file }: { file: Media }) {
  const t = useMediaTexts()
  const scope = useProjectScope()
  const copy = useAct({
    run: async (width: Width | null) =>
      navigator.clipboard.writeText(await linkTo(scope, file.id, width ?? undefined)),
    done: t('link_copied'),
  })
  const own_width = file.kind === 'image' ? (file.width ?? 0) : 0
  return (
    <section>
      <h3 className="font-semibold">{t('links')}</h3>
      <p className="mb-3 text-sm text-muted">{t('links_about')}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => copy.mutate(null)}>
          <Link2 aria-hidden="true" />
          {t('copy_original')}
        </Button>
        {widths
          .filter((width) => width < own_width)
          .map((width) => (
            <Button key={width} size="sm" onClick={() => copy.mutate(width)}>
              {t('copy_width', { width })}
            </Button>
          ))}
      </div>
    </section>
  )
}

/** The sites that show a file, with its public addresses there. */
function FileUses({ file: { used_on } }: { file: Media }) {
  const t = useMediaTexts()
  const scope = useProjectScope()
  const { data: sites } = useQuery({ ...sitesQuery(scope), enabled: used_on.length > 0 })
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('used_on')}</h3>
      {used_on.length === 0 ? (
        <p className="text-sm text-muted">{t('not_used')}</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {used_on.map(({ site_id, path }) => {
            const site = sites?.find(({ id }) => id === site_id)
            return (
              <li key={site_id + path} className="flex items-center gap-3">
                <p className="min-w-0 flex-1 truncate text-sm">
                  <Link
                    to={scope.link(`/sites/${site_id}`)}
                    className="font-medium text-accent hover:underline"
                  >
                    {site?.title ?? t('a_site')}
                  </Link>{' '}
                  <code className="font-mono text-xs text-muted">{path}</code>
                </p>
                {site !== undefined && <CopyButton text={new URL(path, site.url).href} />}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

/** Deletes a file, unless a site shows it. */
function DeleteFile({ file, onDone }: { file: Media; onDone(): void }) {
  const t = useMediaTexts()
  const scope = useProjectScope()
  const isUsed = file.used_on.length > 0
  return (
    <ConfirmedAct
      title={t('delete_title', { count: 1 })}
      about={t('delete_about')}
      text={t('delete')}
      run={() => deleteFile(scope, file.id)}
      done={t('deleted')}
      refresh={[[...mediaKey(scope), 'list']]}
      onDone={onDone}
      button={(ask) => (
        <Button
          kind="ghost"
          className="ml-auto"
          disabled={isUsed}
          title={isUsed ? t('delete_used') : undefined}
          onClick={ask}
        >
          {t('delete')}
        </Button>
      )}
    />
  )
}
