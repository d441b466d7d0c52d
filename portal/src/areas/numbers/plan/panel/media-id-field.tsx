/** The choice of an MP3 or WAV file of the media library, or of a new one. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useProjectScope } from '../../../../api/project-scope.tsx'
import { ProgressBar } from '../../../../ui/display/progress-bar.tsx'
import { FileButton } from '../../../../ui/forms/drop-area.tsx'
import { Field } from '../../../../ui/forms/field.tsx'
import { mediaQuery } from '../../../media/queries.ts'
import { useUpload } from '../../../media/upload/use-upload.ts'
import { usePlanTexts } from '../texts.ts'
import type { FieldState } from './field-parts.tsx'

const playable: readonly string[] = ['audio/mpeg', 'audio/wav']

export function MediaIdField({ state }: { state: FieldState }) {
  const t = usePlanTexts()
  const { label, value, isOptional, fault, change } = state
  const selection = { q: '', kind: 'audio', folder: '' } as const
  const { data } = useInfiniteQuery(mediaQuery(useProjectScope(), selection))
  const upload = useUpload((file) => change(file.id))
  const given = typeof value === 'string' ? value : ''
  const files = (data?.pages ?? [])
    .flatMap((page) => page.data)
    .filter(({ content_type, status }) => status === 'ready' && playable.includes(content_type))
  const isUnknown = given !== '' && files.every(({ id }) => id !== given)
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={label}
        optional={isOptional}
        fault={upload.fault ?? fault}
        {...(data !== undefined && files.length === 0 && { hint: t('no_audio') })}
      >
        <select
          className="control h-9"
          value={given}
          onChange={({ target }) =>
            change(target.value === '' && isOptional ? undefined : target.value)
          }
        >
          <option value="">{t('choose_audio')}</option>
          {isUnknown && <option value={given}>{given}</option>}
          {files.map(({ id, title, filename }) => (
            <option key={id} value={id}>
              {title ?? filename}
            </option>
          ))}
        </select>
      </Field>
      {upload.progress === null ? (
        <span>
          <FileButton
            multiple={false}
            accept=".mp3,.wav,audio/mpeg,audio/wav"
            onChoose={([file]) => file !== undefined && upload.start(file)}
          >
            <Upload aria-hidden="true" />
            {t('upload_audio')}
          </FileButton>
        </span>
      ) : (
        <ProgressBar label={t('uploading_audio', { name: upload.name })} value={upload.progress} />
      )}
    </div>
  )
}
