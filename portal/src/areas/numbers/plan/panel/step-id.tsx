/** The id of a step, which can be changed: the edges to it follow. */
import { useState } from 'react'
import { Button } from '../../../../ui/actions/button.tsx'
import { Field } from '../../../../ui/forms/field.tsx'
import { Input } from '../../../../ui/forms/input.tsx'
import { submit } from '../../../../ui/forms/submit.ts'
import { usePlanEditor } from '../editor-context.tsx'
import { stepOf, withRenamed, type PlanStep } from '../model/plan.ts'
import { usePlanTexts } from '../texts.ts'

export function StepId({ step: { id } }: { step: PlanStep }) {
  const t = usePlanTexts()
  const { plan, schemas, edit, select } = usePlanEditor()
  const [name, setName] = useState(id)
  const wanted = name.trim()
  const isTaken = wanted !== id && stepOf(plan, wanted) !== null
  const rename = () => {
    edit('', withRenamed(plan, [id, wanted], schemas))
    select(wanted)
  }
  return (
    <form
      className="flex items-start gap-2 border-t border-line pt-5"
      onSubmit={submit(() => {
        if (wanted !== '' && wanted !== id && !isTaken) rename()
      })}
    >
      <div className="flex-1">
        <Field label={t('id')} hint={t('id_hint')} fault={isTaken ? t('id_taken') : undefined}>
          <Input
            autoComplete="off"
            className="font-mono text-sm"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
      </div>
      {wanted !== id && (
        <Button type="submit" className="mt-6.5" disabled={wanted === '' || isTaken}>
          {t('rename')}
        </Button>
      )}
    </form>
  )
}
