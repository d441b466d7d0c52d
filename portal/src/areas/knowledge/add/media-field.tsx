/** The choice of a PDF or DOCX file of the media library, or of a new one. A text file fills the text fields. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { ProgressBar } from '../../../ui/display/progress-bar.tsx'
import { FileButton } from '../../../ui/forms/drop-area.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { mediaQuery } from '../../media/queries.ts'
import { useUpload } from '../../media/upload/use-upload.ts'
import { useKnowledgeTexts } from '../texts.ts'
import type { KindFieldsProps } from './kind-fields.tsx'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const readable: readonly string[] = ['application/pdf', DOCX]

export function MediaField({ draft: { media_id }, onChange, fault }: KindFieldsProps) {
  const t = useKnowledgeTexts()
  const selection = { q: '', kind: 'document', folder: '' } as const
  const query = useInfiniteQuery(mediaQuery(useProjectScope(), selection))
  const upload = useUpload((file) => onChange({ media_id: file.id }))
  const choose = (file: File) => {
    if (isPlainText(file)) void fillText(file, onChange)
    else upload.start(file)
  }
  return (
    <QueryState query={query}>
      {({ pages }) => {
        const files = pages
          .flatMap(({ data }) => data)
          .filter(({ content_type, status }) => isReadable(content_type) && status === 'ready')
        return (
          <div className="flex flex-col gap-3">
            <Field
              label={t('pick_media')}
              {...(files.length === 0 && { hint: t('no_media') })}
              fault={upload.fault ?? fault}
            >
              <Select
                value={media_id}
                onChange={(id) => onChange({ media_id: id })}
                choices={[
                  { value: '', text: t('choose') },
                  ...files.map(({ id, title, filename }) => ({
                    value: id,
                    text: title ?? filename,
                  })),
                ]}
              />
            </Field>
            {upload.progress === null ? (
              <span>
                <FileButton
                  multiple={false}
                  accept={`.pdf,.docx,.txt,.md,${readable.join()}`}
                  onChoose={([file]) => file !== undefined && choose(file)}
                >
                  <Upload aria-hidden="true" />
                  {t('upload')}
                </FileButton>
              </span>
            ) : (
              <ProgressBar label={t('uploading', { name: upload.name })} value={upload.progress} />
            )}
          </div>
        )
      }}
    </QueryState>
  )
}

function isPlainText({ name, type }: File): boolean {
  return type === 'text/plain' || type === 'text/markdown' || /\.(?:txt|md)$/i.test(name)
}

/** The library gives no text of such a file to the assistant, so its text becomes the source. */
async function fillText(file: File, onChange: KindFieldsProps['onChange']): Promise<void> {
  const title = file.name.replace(/\.\w+$/, '')
  onChange({ kind: 'text', title, text: await file.text() })
}

function isReadable(content_type: string): boolean {
  return readable.some((type) => content_type.startsWith(type))
}
