/** Changes a text source. A source cannot be changed, so a new one takes the place of the old one. */
import { useState } from 'react'
import { useFormAct } from '../../../api/form-act.ts'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { createSource, deleteSource, knowledgeKey } from '../queries.ts'
import { useKnowledgeTexts } from '../texts.ts'
import { emptyDraft, inputOf, isComplete, type SourceDraft } from './draft.ts'
import { KindFields } from './kind-fields.tsx'

export interface EditTextProps {
  source: { id: string; title: string; text: string }
  onClose(): void
  /** The old source is gone. */
  onSaved(): void
}

export function EditText({ source: { id, title, text }, onClose, onSaved }: EditTextProps) {
  const t = useKnowledgeTexts()
  const scope = useProjectScope()
  const [draft, setDraft] = useState<SourceDraft>({ ...emptyDraft, kind: 'text', title, text })
  const { act, fault, setFault } = useFormAct({
    // The new one comes first, so that the assistant is never without the text.
    run: async (given: SourceDraft) => {
      await createSource(scope, inputOf(given))
      await deleteSource(scope, id)
    },
    done: t('text_saved'),
    refresh: [knowledgeKey(scope)],
    onDone: onSaved,
  })
  const missing = isComplete(draft) ? undefined : t('needed')
  return (
    <Dialog wide onClose={onClose} title={t('edit_text')}>
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={submit(() => {
          if (missing !== undefined) return
          if (draft.title === title && draft.text === text) onClose()
          else act.mutate(draft)
        })}
      >
        <KindFields
          draft={draft}
          fault={fault ?? missing}
          onChange={(part) => {
            setDraft({ ...draft, ...part })
            setFault(undefined)
          }}
        />
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={act.isPending}>
            {t('save_text')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
