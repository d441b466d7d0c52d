/** The name of the account, which the members of the person's projects see. */
import { useState } from 'react'
import { useFormAct } from '../../api/form-act.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { useOwnTexts } from './own-texts.ts'
import { saveName } from './queries.ts'

const CHARACTERS_MAX = 80

export function NameCard({ name }: { name: string | null }) {
  const t = useOwnTexts()
  const saved = name ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? saved
  const { act, fault } = useFormAct({
    run: () => saveName(text),
    done: t('name_saved'),
    refresh: [['me'], ['project']],
  })
  return (
    <Card title={t('name')} about={t('name_about')}>
      <form
        noValidate
        className="flex flex-col items-start gap-4"
        onSubmit={submit(() => {
          if (text.trim() !== saved) act.mutate(undefined)
        })}
      >
        <div className="w-full max-w-md">
          <Field label={t('name_label')} fault={fault}>
            <Input
              autoComplete="name"
              maxLength={CHARACTERS_MAX}
              value={text}
              onChange={({ target }) => setTyped(target.value)}
            />
          </Field>
        </div>
        <Button type="submit" busy={act.isPending} disabled={text.trim() === saved}>
          {t('name_save')}
        </Button>
      </form>
    </Card>
  )
}
