/** Describes an agent in a sentence. The proposed one is created switched off, to be tried first. */
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useLanguage } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Textarea } from '../../ui/forms/input.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { agentsKey, createProposed, type Agent } from './queries.ts'
import { useAgentTexts } from './texts.ts'

export function Describe({ onCreated }: { onCreated(agent: Agent): void }) {
  const t = useAgentTexts()
  const scope = useProjectScope()
  const language = useLanguage()
  const [description, setDescription] = useState('')
  const [isTried, setIsTried] = useState(false)
  const isShort = description.trim().length < 3
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const act = useAct({
    run: () => createProposed(scope, { description: description.trim(), language, timezone }),
    done: t('proposed'),
    refresh: [agentsKey(scope)],
    onDone: onCreated,
  })
  return (
    <Card>
      <form
        className="flex flex-col items-start gap-3"
        onSubmit={submit(() => {
          setIsTried(true)
          if (!isShort) act.mutate(undefined)
        })}
      >
        <Field
          label={t('describe')}
          hint={t('describe_about')}
          fault={isTried && isShort ? t('describe_fault') : undefined}
        >
          <Textarea
            rows={2}
            maxLength={2000}
            placeholder={t('describe_example')}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </Field>
        <Button type="submit" busy={act.isPending}>
          {t('propose')}
        </Button>
      </form>
    </Card>
  )
}
