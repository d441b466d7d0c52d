/** Adds many facts from a pasted text, after a preview of the facts that were recognized. */
import { useState } from 'react'
import { Button } from '../../../ui/actions/button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Textarea } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { FACTS_MAX, type Fact } from '../queries.ts'
import { readPasted, withFacts, type Pasted } from './pasted.ts'
import { useFactTexts } from './texts.ts'

export interface PasteDialogProps {
  facts: readonly Fact[]
  onClose(): void
  onAdd(facts: Fact[]): void
}

export function PasteDialog({ facts, onClose, onAdd }: PasteDialogProps) {
  const t = useFactTexts()
  const [text, setText] = useState('')
  const pasted = readPasted(text)
  const together = withFacts(facts, pasted.facts)
  const isTooMany = together.length > FACTS_MAX
  return (
    <Dialog wide onClose={onClose} title={t('paste')} about={t('paste_about')}>
      <form
        noValidate
        onSubmit={submit(() => {
          if (pasted.facts.length > 0 && !isTooMany) onAdd(together)
        })}
      >
        <Field
          label={t('paste_text')}
          fault={isTooMany ? t('too_many', { max: FACTS_MAX }) : undefined}
        >
          <Textarea
            rows={9}
            spellCheck={false}
            placeholder={t('paste_example')}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        <Preview pasted={pasted} />
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" disabled={pasted.facts.length === 0 || isTooMany}>
            {t('paste_add', { count: pasted.facts.length })}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

function Preview({ pasted: { facts, unread } }: { pasted: Pasted }) {
  const t = useFactTexts()
  if (facts.length === 0 && unread.length === 0) return null
  return (
    <div className="mt-4 max-h-56 overflow-y-auto rounded-lg border border-line bg-bg" tabIndex={0}>
      <ul aria-label={t('paste_preview')} className="divide-y divide-line">
        {facts.map(({ question, answer }) => (
          <li key={question} className="px-3.5 py-2">
            <p className="font-medium">{question}</p>
            <p className="text-sm text-muted">{answer}</p>
          </li>
        ))}
        {unread.map((block) => (
          <li key={block} className="px-3.5 py-2 text-sm text-bad">
            {t('paste_unread', { text: block.slice(0, 80) })}
          </li>
        ))}
      </ul>
    </div>
  )
}
