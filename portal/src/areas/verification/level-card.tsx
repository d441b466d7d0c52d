/** A level: what it unlocks, its steps, its state, and the button that sends it for review. */
import { Check, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { translateMessage } from '../../language/server-texts/translate.ts'
import { useLanguage } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { Badge, type Tone } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { useLevelTexts } from '../company/level-texts.ts'
import { wordOf } from '../company/level-words.ts'
import {
  submitLevel,
  verificationKey,
  withdrawLevel,
  type Level,
  type LevelName,
} from './queries.ts'
import { useVerificationTexts } from './texts.ts'

const tones: Readonly<Record<Level['status'], Tone>> = {
  approved: 'good',
  not_started: 'neutral',
  pending: 'info',
  rejected: 'bad',
}

export interface LevelCardProps {
  name: LevelName
  level: Level
  /** Whether everything is there that the owner gives. */
  ready: boolean
  /** The text while it is in review. */
  waiting: string
  send: string
  children: ReactNode
  note?: string
}

export function LevelCard({ name, level, ready, waiting, send, children, note }: LevelCardProps) {
  const t = useVerificationTexts()
  const levels = useLevelTexts()
  const language = useLanguage()
  const scope = useProjectScope()
  const refresh = [verificationKey(scope), ['rails', scope.project_id]]
  const submit = useAct({ run: () => submitLevel(scope, name), done: t('sent'), refresh })
  const withdraw = useAct({ run: () => withdrawLevel(scope, name), done: t('withdrawn'), refresh })
  const isOwner = scope.may('owner')
  const { status, reason, unlocks } = level
  return (
    <Card
      flush
      title={levels(`level_${name}`)}
      about={<Unlocks names={unlocks} isOpen={status === 'approved'} />}
      aside={<Badge tone={tones[status]}>{t(status)}</Badge>}
    >
      {status === 'rejected' && reason !== null && (
        <div role="note" className="mx-5 mb-4 rounded-lg bg-bad-soft px-4 py-3 text-bad">
          <p className="font-medium">{t('reason')}</p>
          <p className="break-words">{translateMessage(reason, language)}</p>
          <p className="mt-1 text-sm">{t('how_to_fix')}</p>
        </div>
      )}
      {status === 'pending' && (
        <p role="status" className="mx-5 mb-4 rounded-lg bg-info-soft px-4 py-3 text-info">
          {waiting}
        </p>
      )}
      {status !== 'approved' && (
        <>
          <ol>{children}</ol>
          <footer className="flex flex-wrap items-center gap-3 border-t border-line px-5 py-4">
            {note !== undefined && <p className="min-w-48 flex-1 text-sm text-muted">{note}</p>}
            {status === 'pending' ? (
              <Button
                disabled={!isOwner}
                busy={withdraw.isPending}
                onClick={() => withdraw.mutate(undefined)}
              >
                {t('withdraw')}
              </Button>
            ) : (
              <Button
                kind="primary"
                disabled={!isOwner || !ready}
                busy={submit.isPending}
                onClick={() => submit.mutate(undefined)}
              >
                {send}
              </Button>
            )}
          </footer>
        </>
      )}
    </Card>
  )
}

function Unlocks({ names, isOpen }: { names: readonly string[]; isOpen: boolean }) {
  const levels = useLevelTexts()
  const Icon = isOpen ? Check : Lock
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-0.5">
      {names.map((name) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <Icon
            className={cx('size-3.5 shrink-0', isOpen ? 'text-good' : 'text-faint')}
            aria-hidden="true"
          />
          {wordOf(name, levels)}
        </span>
      ))}
    </span>
  )
}
