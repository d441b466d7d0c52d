/** Creates or changes a token, with a preview of its theme; a new one ends with the tag to paste. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiProblem } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { assistantQuery } from '../assistant/queries.ts'
import { BasicFields, faultsOf, LookFields } from './token-fields.tsx'
import {
  changeToken,
  createToken,
  tokensKey,
  type ChatToken,
  type NewChatToken,
} from './queries.ts'
import { useTokenTexts } from './texts.ts'
import { ThemePreview } from './theme-preview.tsx'
import { draftOf, inputOf, isColour, type TokenDraft } from './token-draft.ts'
import { TokenMade } from './token-made.tsx'

export interface TokenDialogProps {
  /** null for a new one. */
  token: ChatToken | null
  onClose(): void
}

export function TokenDialog({ token, onClose }: TokenDialogProps) {
  const t = useTokenTexts()
  const [made, setMade] = useState<NewChatToken | null>(null)
  const title = token === null ? t('create') : t('edit_title', { name: token.name })
  return (
    <Dialog
      wide
      onClose={onClose}
      title={made === null ? title : t('made_title')}
      {...(made !== null && { about: t('made_about') })}
    >
      {made === null ? (
        <TokenForm token={token} onClose={onClose} onMade={setMade} />
      ) : (
        <TokenMade {...made} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface TokenFormProps extends TokenDialogProps {
  onMade(made: NewChatToken): void
}

function TokenForm({ token, onClose, onMade }: TokenFormProps) {
  const t = useTokenTexts()
  const [draft, setDraft] = useState(draftOf(token))
  const [isTried, setIsTried] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const act = useSaving({ token, onClose, onMade, onFault: setProblem })
  const faults = faultsOf(draft)
  const change = (part: Partial<TokenDraft>) => setDraft({ ...draft, ...part })
  const parts = { draft, onChange: change, faults: isTried ? faults : null, problem }
  return (
    <form
      noValidate
      onSubmit={submit(() => {
        setIsTried(true)
        setProblem(null)
        if (Object.keys(faults).length === 0) act.mutate(draft)
      })}
    >
      {problem !== null && problem.faults.length === 0 && (
        <div className="mb-4">
          <ErrorState {...problem} user_message={problem.user_message} />
        </div>
      )}
      <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-[1fr_17rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <BasicFields {...parts} />
          <LookFields {...parts} />
        </div>
        <Preview draft={draft} />
      </div>
      <DialogButtons>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t(token === null ? 'create' : 'save')}
        </Button>
      </DialogButtons>
    </form>
  )
}

interface Saving extends TokenFormProps {
  onFault(problem: ApiProblem): void
}

function useSaving({ token, onClose, onMade, onFault }: Saving) {
  const t = useTokenTexts()
  const scope = useProjectScope()
  return useAct({
    async run(draft: TokenDraft) {
      if (token === null) return createToken(scope, inputOf(draft))
      await changeToken(scope, token.id, inputOf(draft))
      return null
    },
    ...(token !== null && { done: t('saved') }),
    refresh: [tokensKey(scope)],
    onDone(made) {
      if (made === null) onClose()
      else onMade(made)
    },
    onFault(problem) {
      onFault(problem)
      return true
    },
  })
}

/** If the token has no greeting, the widget shows that of the assistant. */
function Preview({ draft: { colour, position, greeting } }: { draft: TokenDraft }) {
  const t = useTokenTexts()
  const { data } = useQuery(assistantQuery(useProjectScope()))
  const { project } = useProjectScope()
  const spoken = data?.greeting === undefined || data.greeting === '' ? null : data.greeting
  return (
    <div className="sm:sticky sm:top-0">
      <ThemePreview
        theme={{ color: isColour(colour) ? colour : null, position }}
        name={data?.name ?? project.name}
        greeting={greeting.trim() || (spoken ?? t('preview_greeting'))}
      />
    </div>
  )
}
