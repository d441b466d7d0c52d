/** The dialog that adds an endpoint, and shows its secret once. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { ApiProblem } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button, ButtonAnchor } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { CheckList } from '../../ui/forms/check-list.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { changeCollection, collectionsKey, collectionsQuery } from '../data/queries.ts'
import { createEndpoint, webhooksKey, type EventType } from './queries.ts'
import { eventTexts, eventTypes, webhookTexts } from './texts.ts'

interface Draft {
  url: string
  events: EventType[]
}

/** The event that a collection sends only if its setting says so. */
const NEW_DOCUMENT: EventType = 'document.created'

export interface CreateEndpointProps {
  open: boolean
  onOpenChange(open: boolean): void
}

export function CreateEndpointDialog({ open, onOpenChange }: CreateEndpointProps) {
  const t = useTexts(webhookTexts)
  const [secret, setSecret] = useState<string | null>(null)
  const change = (next: boolean) => {
    onOpenChange(next)
    if (!next) setSecret(null)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={secret === null ? t('create') : t('created_title')}
      {...(secret !== null && { about: t('created_about') })}
    >
      {secret === null ? (
        <CreateForm onMade={setSecret} />
      ) : (
        <SecretOnce secret={secret} onClose={() => change(false)} />
      )}
    </Dialog>
  )
}

function CreateForm({ onMade }: { onMade(secret: string): void }) {
  const t = useTexts(webhookTexts)
  const say = useTexts(eventTexts)
  const scope = useProjectScope()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const form = useForm<Draft>({ defaultValues: { url: '', events: ['call.completed'] } })
  const silent = useSilentCollections(form.watch('events').includes(NEW_DOCUMENT))
  const act = useAct({
    // The secret is shown once, so what may fail comes before it.
    run: async (draft: Draft) => {
      await silent.switchOn()
      return createEndpoint(scope, draft)
    },
    refresh: [webhooksKey(scope), collectionsKey(scope), ['collection', scope.project_id]],
    onDone: ({ secret }) => onMade(secret),
    onFault(fault) {
      setProblem(fault)
      return true
    },
  })
  const { errors } = form.formState
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => void form.handleSubmit((draft) => act.mutate(draft))(event)}
    >
      {problem !== null && <ErrorState {...problem} user_message={problem.user_message} />}
      <Field label={t('url')} hint={t('url_hint')} fault={errors.url?.message}>
        <Input
          type="url"
          autoComplete="off"
          placeholder="https://example.com/hooks"
          {...form.register('url', { validate: (url) => URL.canParse(url) || t('fault_url') })}
        />
      </Field>
      <Controller
        control={form.control}
        name="events"
        rules={{ validate: (events) => events.length > 0 || t('fault_events') }}
        render={({ field }) => (
          <CheckList
            legend={t('events')}
            values={field.value}
            onChange={field.onChange}
            choices={eventTypes.map((value) => ({ value, text: say(value), hint: value }))}
          />
        )}
      />
      {errors.events?.message !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {errors.events.message}
        </p>
      )}
      {silent.choices.length > 0 && (
        <CheckList
          legend={t('collections')}
          values={silent.chosen}
          onChange={silent.choose}
          choices={silent.choices}
        />
      )}
      <DialogButtons>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t('create')}
        </Button>
      </DialogButtons>
    </form>
  )
}

/** The collections that send no event for a new document, all chosen to be switched on at first. */
function useSilentCollections(isAsked: boolean) {
  const scope = useProjectScope()
  const { data = [] } = useQuery({ ...collectionsQuery(scope), enabled: isAsked })
  const [left, setLeft] = useState<readonly string[]>([])
  const silent = isAsked ? data.filter((row) => !row.webhook_on_insert) : []
  const names = silent.map(({ name }) => name)
  const chosen = names.filter((name) => !left.includes(name))
  return {
    choices: silent.map(({ name, title }) => ({ value: name, text: title, hint: name })),
    chosen,
    choose: (next: readonly string[]) => setLeft(names.filter((name) => !next.includes(name))),
    switchOn: () =>
      Promise.all(chosen.map((name) => changeCollection(scope, name, { webhook_on_insert: true }))),
  }
}

export function SecretOnce({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useTexts(webhookTexts)
  return (
    <>
      <div className="flex items-center gap-2 rounded-lg border border-accent bg-accent-soft py-2 pr-2 pl-4">
        <code className="min-w-0 flex-1 font-mono break-all">{secret}</code>
        <CopyButton text={secret} kind="secondary" />
      </div>
      <DialogButtons>
        <ButtonAnchor href="/docs/guides/verify-signatures">{t('verify')}</ButtonAnchor>
        <Button kind="primary" onClick={onClose}>
          {t('finish')}
        </Button>
      </DialogButtons>
    </>
  )
}
