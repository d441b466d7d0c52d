/** A preview of a file, if the browser can show or play it. */
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useServerText } from '../../../language/texts.ts'
import { ButtonAnchor } from '../../../ui/actions/button.tsx'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { FocalPoint } from './focal-point.tsx'
import { KindIcon } from '../library/kind-icon.tsx'
import { linkQuery, type Media } from '../queries.ts'
import { useMediaTexts } from '../texts.ts'

const PREVIEW_WIDTH = 960

export function FilePreview({ file }: { file: Media }) {
  const t = useMediaTexts()
  const said = useServerText()
  const { kind, status, status_reason } = file
  if (status === 'failed' || status === 'blocked') {
    return (
      <ErrorState
        user_message={t(`about_${status}`)}
        next_step={status_reason === null ? null : said(status_reason)}
        request_id={null}
      />
    )
  }
  if (status !== 'ready') return <p className="text-muted">{t('about_processing')}</p>
  // Vector images have no resized copies.
  return <Ready file={file} isPicture={kind === 'image' && file.width !== null} />
}

function Ready({ file, isPicture }: { file: Media; isPicture: boolean }) {
  const t = useMediaTexts()
  const { kind, alt, placeholder, width, height } = file
  const { data: url } = useQuery(
    linkQuery(useProjectScope(), file.id, isPicture ? PREVIEW_WIDTH : undefined),
  )
  if (isPicture && url !== undefined) return <FocalPoint key={file.sha256} file={file} url={url} />
  if (isPicture && width !== null && height !== null) {
    return (
      <div className="grid place-items-center overflow-hidden rounded-xl border border-line bg-hover">
        <img
          src={placeholder ?? undefined}
          alt={alt ?? ''}
          width={width}
          height={height}
          className="h-auto max-h-80 w-auto max-w-full object-contain"
        />
      </div>
    )
  }
  if (url !== undefined && kind === 'video') {
    return <video src={url} controls preload="metadata" className="w-full rounded-xl bg-black" />
  }
  if (url !== undefined && kind === 'audio') {
    return <audio src={url} controls preload="metadata" className="w-full" />
  }
  return (
    <div className="flex items-center gap-4 rounded-xl border border-line bg-hover p-5">
      <KindIcon kind={kind} className="size-8 shrink-0 text-faint" />
      <p className="min-w-0 flex-1 truncate font-medium">{file.filename}</p>
      {url !== undefined && (
        <ButtonAnchor href={url} target="_blank" rel="noreferrer" size="sm">
          <Download aria-hidden="true" />
          {t('open')}
        </ButtonAnchor>
      )}
    </div>
  )
}
