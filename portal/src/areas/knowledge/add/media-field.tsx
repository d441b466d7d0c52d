/** The choice of a PDF or DOCX file of the media library, or of a new one. A text file fills the text fields. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ApiProblem, type Scope } from '../../../api/client.ts'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { useTexts } from '../../../language/texts.ts'
import { ProgressBar } from '../../../ui/display/progress-bar.tsx'
import { FileButton } from '../../../ui/forms/drop-area.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { mediaKey, mediaQuery, type Media } from '../../media/queries.ts'
import { announce, complete, sendBytes } from '../../media/upload/send-media.ts'
import { knowledgeTexts } from '../texts.ts'
import type { KindFieldsProps } from './kind-fields.tsx'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const readable: readonly string[] = ['application/pdf', DOCX]

export function MediaField({ draft: { media_id }, onChange, fault }: KindFieldsProps) {
  const t = useTexts(knowledgeTexts)
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

interface UploadState {
  /** From 0 to 1; null if nothing is being sent. */
  progress: number | null
  name: string
  fault: string | undefined
  start(file: File): void
}

/** Sends one file to the library. Leaving the field stops it. */
function useUpload(onAdded: (file: Media) => void): UploadState {
  const scope = useProjectScope()
  const client = useQueryClient()
  const [progress, setProgress] = useState<number | null>(null)
  const ending = useRef(new AbortController())
  useEffect(() => () => ending.current.abort(), [])
  const sending = useMutation({
    mutationFn: (file: File) =>
      send({ scope, file, signal: ending.current.signal, onSent: setProgress }),
    async onSuccess(file) {
      await client.invalidateQueries({ queryKey: mediaKey(scope) })
      onAdded(file)
    },
    onSettled: () => setProgress(null),
  })
  const { error } = sending
  return {
    progress: sending.isPending ? (progress ?? 0) : null,
    name: sending.variables?.name ?? '',
    fault: error === null ? undefined : faultOf(error),
    start: (file) => sending.mutate(file),
  }
}

function faultOf(error: Error): string {
  return error instanceof ApiProblem ? error.user_message : error.message
}

interface Sending {
  scope: Scope
  file: File
  signal: AbortSignal
  onSent(share: number): void
}

async function send({ scope, file, signal, onSent }: Sending): Promise<Media> {
  const [link] = await announce({ scope, signal, files: [file] })
  if (link === undefined) throw new Error('The server gave no link.')
  const sent = { scope, signal, file, link, onSent: (bytes: number) => onSent(bytes / file.size) }
  const added = await complete(scope, await sendBytes(sent), signal)
  if (added.status !== 'ready') throw new Error(added.status_reason ?? added.status)
  return added
}
