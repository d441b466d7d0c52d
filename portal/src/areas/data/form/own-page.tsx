/** The HTML of the form for a website elsewhere, with a token that only this website may use. */
import { useState } from 'react'
import type { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { CodeBlock } from '../../../ui/display/code-block.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { collectionKey } from '../queries.ts'
import { formHtml } from './form-html.ts'
import { createToken } from './form-requests.ts'
import type { FormTargetProps } from './publish-form.tsx'
import { useFormTexts } from './texts.ts'

interface Made {
  token: string
  origin: string
}

export function OwnPage({ collection, draft }: FormTargetProps) {
  const t = useFormTexts()
  const scope = useProjectScope()
  const [website, setWebsite] = useState('')
  const [made, setMade] = useState<Made | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const create = useAct({
    run: () => createToken(scope, collection, originOf(website)),
    done: t('token_made'),
    refresh: [collectionKey(scope, collection.name)],
    onDone({ token, form_address }) {
      setProblem(null)
      setMade({ token, origin: new URL(form_address).origin })
    },
    onFault(fault) {
      setProblem(fault)
      return true
    },
  })
  const fault = problem?.faults[0]?.message ?? problem?.user_message
  return (
    <Card title={t('own')} about={t('own_about')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={submit(() => create.mutate(undefined))}
      >
        <Field label={t('origin')} hint={t('origin_hint')} fault={fault}>
          <Input
            type="url"
            inputMode="url"
            value={website}
            onChange={({ target }) => setWebsite(target.value)}
          />
        </Field>
        <Button
          type="submit"
          className="self-start"
          busy={create.isPending}
          disabled={website.trim() === ''}
        >
          {t('make')}
        </Button>
      </form>
      {made !== null && (
        <div className="mt-5">
          <CodeBlock
            label={t('html')}
            code={formHtml(draft, { ...made, collection: collection.name })}
          />
        </div>
      )}
    </Card>
  )
}

/** A text that is no address is sent as it is; the server explains what it needs. */
export function originOf(website: string): string {
  const text = website.trim()
  const address = /^https?:\/\//.test(text) ? text : `https://${text}`
  return URL.canParse(address) ? new URL(address).origin : text
}
