/** The first step: an assistant that learns from the website, or starts empty. */
import { useQueryClient } from '@tanstack/react-query'
import { Bot, Globe } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { assistantKey, saveAssistant } from './queries.ts'
import { useAssistantTexts } from './texts.ts'

export function SetUp() {
  const t = useAssistantTexts()
  const { project } = useProjectScope()
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      <Card flush>
        <EmptyState
          icon={<Bot aria-hidden="true" />}
          title={t('set_up', { project: project.name })}
          about={t('set_up_about')}
          sentence={t('sentence')}
          action={<WebsiteForm />}
        />
      </Card>
    </>
  )
}

function WebsiteForm() {
  const t = useAssistantTexts()
  const scope = useProjectScope()
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  const act = useAct({
    run: (website_url: string | null) =>
      saveAssistant(scope, { name: scope.project.name.slice(0, 100), website_url }, 0),
    done: t('set_up_done'),
    onDone: (assistant) => client.setQueryData(assistantKey(scope), assistant),
    onFault(problem) {
      setFault(problem.faults[0]?.message)
      return problem.faults.length > 0
    },
  })
  return (
    <form
      noValidate
      className="flex w-full min-w-0 flex-col gap-3 text-left sm:w-md"
      onSubmit={submit(() => {
        if (text.trim() !== '') act.mutate(addressOf(text))
      })}
    >
      <Field label={t('website')} hint={t('website_hint')} fault={fault}>
        <Input
          type="url"
          inputMode="url"
          autoComplete="url"
          placeholder="https://example.com"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" busy={act.isPending} disabled={text.trim() === ''}>
          <Globe aria-hidden="true" />
          {t('set_up_website')}
        </Button>
        <Button disabled={act.isPending} onClick={() => act.mutate(null)}>
          {t('set_up_empty')}
        </Button>
      </div>
    </form>
  )
}

/** Adds the protocol, which people omit. */
function addressOf(text: string): string {
  const address = text.trim()
  return /^https?:\/\//i.test(address) ? address : `https://${address}`
}
