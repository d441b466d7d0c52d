/** A document: choose a file, upload it with progress, replace or delete it. */
import { FileText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { ProgressBar } from '../../ui/display/progress-bar.tsx'
import { FileButton } from '../../ui/forms/drop-area.tsx'
import { Fault } from '../../ui/forms/fault.tsx'
import { sendFile } from '../../work/send-file.ts'
import {
  announceDocument,
  removeDocument,
  verificationKey,
  type Document,
  type Kind,
} from './queries.ts'
import { Step } from './step.tsx'
import { useVerificationTexts } from './texts.ts'

const ACCEPT = 'application/pdf,image/jpeg,image/png,image/webp'

export interface DocumentStepProps {
  kind: Kind
  documents: readonly Document[]
  /** Whether it can be changed now. */
  open: boolean
}

export function DocumentStep({ kind, documents, open }: DocumentStepProps) {
  const t = useVerificationTexts()
  const scope = useProjectScope()
  const current = documents.find((one) => one.kind === kind && !one.refused)
  const refused = documents.some((one) => one.kind === kind && one.refused)
  const state = current ? 'done' : refused ? 'again' : 'to_do'
  return (
    <Step title={t(kind)} about={t(`${kind}_about`)} state={state}>
      {current && (
        <p className="mb-3 flex min-w-0 items-center gap-2 text-sm">
          <FileText className="size-4 shrink-0 text-muted" aria-hidden="true" />
          <span className="truncate">{current.filename}</span>
          <span className="shrink-0 text-faint">{Math.ceil(current.bytes / 1024)} kB</span>
        </p>
      )}
      {open && scope.may('owner') && <Upload kind={kind} current={current} />}
    </Step>
  )
}

interface UploadProps {
  kind: Kind
  current: Document | undefined
}

function Upload({ kind, current }: UploadProps) {
  const t = useVerificationTexts()
  const scope = useProjectScope()
  const [sending, setSending] = useState<{ name: string; part: number } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const refresh = [verificationKey(scope)]
  const upload = useAct({
    async run(file: File) {
      setSending({ name: file.name, part: 0 })
      const { url } = await announceDocument(scope, kind, file)
      // Only the path, because the portal may be open under another host name than the link has.
      const link = { url: new URL(url).pathname, headers: {} }
      const { signal } = new AbortController()
      const onSent = (bytes: number) => setSending({ name: file.name, part: bytes / file.size })
      await sendFile({ link, file, signal, onSent })
      setSending(null)
    },
    done: t('uploaded'),
    refresh,
    onFault(problem) {
      setSending(null)
      setFault(problem.user_message)
      return true
    },
  })
  return (
    <div className="flex flex-col gap-2">
      {sending !== null && <Progress {...sending} />}
      <Fault text={fault} />
      <div className="flex flex-wrap items-center gap-2">
        <FileButton
          multiple={false}
          accept={ACCEPT}
          onChoose={([file]) => {
            setFault(null)
            if (file) upload.mutate(file)
          }}
        >
          {current ? t('replace') : t('choose')}
        </FileButton>
        {current && <RemoveButton document={current} />}
        <span className="text-sm text-faint">{t('files')}</span>
      </div>
    </div>
  )
}

function Progress({ name, part }: { name: string; part: number }) {
  const t = useVerificationTexts()
  const label = t('uploading', { name })
  return (
    <div className="max-w-md">
      <p className="mb-1 truncate text-sm text-muted">{label}</p>
      <ProgressBar label={label} value={part} />
    </div>
  )
}

function RemoveButton({ document: { id, kind } }: { document: Document }) {
  const t = useVerificationTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: () => removeDocument(scope, id),
    done: t('removed'),
    refresh: [verificationKey(scope)],
  })
  return (
    <Button
      kind="ghost"
      size="icon"
      aria-label={`${t('remove')}: ${t(kind)}`}
      busy={act.isPending}
      onClick={() => act.mutate(undefined)}
    >
      <Trash2 aria-hidden="true" />
    </Button>
  )
}
