/** The list of long work in a corner: progress, result, and why something failed. */
import { useNavigate } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, Download, LoaderCircle, RotateCw, X } from 'lucide-react'
import { ApiProblem } from '../api/client.ts'
import { useProjectScope } from '../api/project-scope.tsx'
import { useServerText } from '../language/texts.ts'
import { Button, ButtonLink } from '../ui/actions/button.tsx'
import { ProgressBar } from '../ui/display/progress-bar.tsx'
import { saveFile } from './save-file.ts'
import { useWorkTexts } from './texts.ts'
import { dismissWork, type Work } from './work.ts'
import { WorkItems } from './work-items.tsx'

export function WorkTrayParts({ works }: { works: readonly Work[] }) {
  const t = useWorkTexts()
  const isRunning = works.some(({ stage }) => stage !== 'done' && stage !== 'failed')
  return (
    <section
      aria-label={t('title')}
      className="fixed right-4 bottom-4 left-4 z-40 flex max-h-[60dvh] flex-col overflow-hidden rounded-xl bg-raised shadow-pop sm:left-auto sm:w-96"
    >
      <ul className="divide-y divide-line overflow-y-auto">
        {works.map((work) => (
          <WorkRow key={work.id} work={work} />
        ))}
      </ul>
      {isRunning && (
        <p className="border-t border-line bg-bg px-4 py-2 text-xs text-faint">{t('keeps')}</p>
      )}
    </section>
  )
}

function WorkRow({ work }: { work: Work }) {
  const t = useWorkTexts()
  const { link } = useProjectScope()
  const { id, title, stage, progress, items, error, path } = work
  const isMoving = stage === 'sending' || stage === 'receiving'
  const hasEnded = stage === 'done' || stage === 'failed'
  return (
    <li className="p-4">
      <div className="flex items-center gap-3">
        <StageIcon stage={stage} />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">{title}</p>
          <p className="text-sm text-muted" role="status">
            {t(stage)}
            {isMoving && progress !== null && ` · ${Math.round(progress * 100)} %`}
          </p>
        </div>
        {stage === 'done' && path !== null && (
          <ButtonLink size="sm" to={link(path)}>
            {t('show')}
          </ButtonLink>
        )}
        <button
          type="button"
          aria-label={t(hasEnded ? 'close' : 'stop', { title })}
          onClick={() => dismissWork(id)}
          className="rounded p-1 text-faint hover:bg-hover hover:text-fg"
        >
          <X className="size-4" aria-hidden="true" />
        </button>
      </div>
      {!hasEnded && (
        <div className="mt-3">
          <ProgressBar label={title} value={isMoving ? progress : null} />
        </div>
      )}
      <Outcome work={work} />
      {items.length > 1 && <WorkItems items={items} hasEnded={hasEnded} />}
      {error !== null && <Failure error={error} />}
      {hasEnded && <NextActs work={work} />}
    </li>
  )
}

/** The actions after a failure. */
function NextActs({ work: { id, stage, retry, correction } }: { work: Work }) {
  const t = useWorkTexts()
  const { link } = useProjectScope()
  const navigate = useNavigate()
  return (
    <>
      {retry !== null && (
        <Button
          size="sm"
          className="mt-3"
          onClick={() => {
            dismissWork(id)
            retry.start()
          }}
        >
          <RotateCw aria-hidden="true" />
          {retry.title}
        </Button>
      )}
      {stage === 'failed' && correction !== null && (
        <Button
          size="sm"
          className="mt-3"
          onClick={() => {
            dismissWork(id)
            correction.open()
            void navigate({ to: link(correction.path) })
          }}
        >
          {t('correct')}
        </Button>
      )}
    </>
  )
}

function Outcome({ work: { note, attachment } }: { work: Work }) {
  return (
    <>
      {note !== null && <p className="mt-2 text-sm">{note}</p>}
      {attachment !== null && (
        <Button size="sm" className="mt-2" onClick={() => saveFile(attachment)}>
          <Download aria-hidden="true" />
          {attachment.title}
        </Button>
      )}
    </>
  )
}

function StageIcon({ stage }: Pick<Work, 'stage'>) {
  if (stage === 'done')
    return <CircleCheck className="size-4 shrink-0 text-good" aria-hidden="true" />
  if (stage === 'failed')
    return <CircleAlert className="size-4 shrink-0 text-bad" aria-hidden="true" />
  return <LoaderCircle className="size-4 shrink-0 animate-spin text-accent" aria-hidden="true" />
}

interface Finding {
  path: string
  line: number | null
  what: string
}

/** Why the work failed: the words of the server, and where the faults are. */
function Failure({ error }: { error: Error }) {
  const t = useWorkTexts()
  const said = useServerText()
  if (!(error instanceof ApiProblem)) return <p className="mt-3 text-sm">{error.message}</p>
  const findings = findingsOf(error)
  const { appeal_url } = error.body
  return (
    <div className="mt-3 flex flex-col gap-2 text-sm">
      <p>{error.user_message}</p>
      {error.faults.slice(0, FAULTS_SHOWN_MAX).map(({ path, message }) => (
        <p key={path + message} className="text-muted">
          {message}
        </p>
      ))}
      {findings.slice(0, FAULTS_SHOWN_MAX).map(({ path, line, what }, index) => (
        <p key={index} className="text-muted">
          <code className="block font-mono text-xs text-faint">
            {line === null ? path : t('line', { path, line })}
          </code>
          {said(what)}
        </p>
      ))}
      {typeof appeal_url === 'string' && (
        <a href={appeal_url} target="_blank" rel="noreferrer" className="text-accent">
          {t('appeal')}
        </a>
      )}
    </div>
  )
}

const FAULTS_SHOWN_MAX = 5

function findingsOf({ body }: ApiProblem): Finding[] {
  const { findings } = body
  return Array.isArray(findings) ? findings : []
}
