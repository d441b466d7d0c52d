/** Adds a source: its kind, and the fields of this kind. */
import { useState } from 'react'
import { useFormAct } from '../../../api/form-act.ts'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { ChoiceCards } from '../../../ui/forms/choice-cards.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { collectionsKey } from '../../data/queries.ts'
import { createSource, knowledgeKey, setAssistantFacts } from '../queries.ts'
import { useKnowledgeTexts } from '../texts.ts'
import { isComplete, emptyDraft, inputOf, type SourceDraft } from './draft.ts'
import { KindFields } from './kind-fields.tsx'

export function AddSource({ onClose }: { onClose(): void }) {
  const t = useKnowledgeTexts()
  const scope = useProjectScope()
  const [draft, setDraft] = useState<SourceDraft>(emptyDraft)
  const [isTried, setIsTried] = useState(false)
  const { act, fault, setFault } = useFormAct({
    run: async (given: SourceDraft) => {
      if (given.kind === 'collection')
        return void (await setAssistantFacts(scope, given.collection, true))
      await createSource(scope, inputOf(given))
    },
    done: t('added'),
    refresh: [knowledgeKey(scope), collectionsKey(scope)],
    onDone: onClose,
  })
  const change = (part: Partial<SourceDraft>) => {
    setDraft({ ...draft, ...part })
    setIsTried(false)
    setFault(undefined)
  }
  return (
    <Dialog wide onClose={onClose} title={t('add')}>
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={submit(() => {
          setIsTried(true)
          if (isComplete(draft)) act.mutate(draft)
        })}
      >
        <KindChoice kind={draft.kind} onChange={(kind) => change({ kind })} />
        <KindFields
          draft={draft}
          onChange={change}
          fault={fault ?? (isTried && !isComplete(draft) ? t('needed') : undefined)}
        />
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={act.isPending}>
            {t('add')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

interface KindChoiceProps {
  kind: SourceDraft['kind']
  onChange(kind: SourceDraft['kind']): void
}

const kinds = ['website', 'media', 'text', 'site', 'collection'] as const

function KindChoice({ kind, onChange }: KindChoiceProps) {
  const t = useKnowledgeTexts()
  const choices = kinds.map((value) => ({ value, title: t(value), about: t(`${value}_about`) }))
  return <ChoiceCards legend={t('pick_kind')} value={kind} onChange={onChange} choices={choices} />
}
