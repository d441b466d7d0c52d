/** The dialog that adds an endpoint, and shows its secret once. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OperationForm } from '../../api/operation-form.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button, ButtonAnchor } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { CheckList } from '../../ui/forms/check-list.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { showError } from '../../ui/overlays/toast.tsx'
import { changeCollection, collectionsKey, collectionsQuery } from '../data/queries.ts'
import { createEndpoint, webhooksKey, type EventType, type WantedEndpoint } from './queries.ts'
import { useEventTexts, eventTypes, useWebhookTexts } from './texts.ts'

/** The event that a collection sends only if its setting says so. */
const NEW_DOCUMENT: EventType = 'document.created'

export interface CreateEndpointProps {
  open: boolean
  onOpenChange(open: boolean): void
}

export function CreateEndpointDialog({ open, onOpenChange }: CreateEndpointProps) {
  const t = useWebhookTexts()
  const [secret, setSecret] = useState<string | null>(null)
  const change = (next: boolean) => {
    onOpenChange(next)
    if (!next) setSecret(null)
  }
  return (
    <Dialog
      open={open}
      onClose={() => change(false)}
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
  const t = useWebhookTexts()
  const say = useEventTexts()
  const scope = useProjectScope()
  const [isAsked, setIsAsked] = useState(false)
  const silent = useSilentCollections(isAsked)
  return (
    <OperationForm
      operation="webhooks.create"
      fields={[
        {
          path: 'url',
          label: t('url'),
          hint: t('url_hint'),
          placeholder: 'https://example.com/hooks',
        },
        {
          path: 'events',
          label: t('events'),
          initial: 'call.completed',
          choices: eventTypes.map((value) => ({ value, text: say(value), about: value })),
          check: (text) => (text === '' ? t('fault_events') : undefined),
        },
      ]}
      action={t('create')}
      refresh={[webhooksKey(scope), collectionsKey(scope), ['collection', scope.project_id]]}
      run={async (body: WantedEndpoint) => {
        const made = await createEndpoint(scope, body)
        // The secret is shown once, so a failure of this must not hide it.
        await silent.switchOn().catch((error: Error) => showError(error.message))
        return made
      }}
      onChange={({ events = [] }) => setIsAsked(events.includes(NEW_DOCUMENT))}
      onDone={({ secret }) => onMade(secret)}
    >
      {() =>
        silent.choices.length > 0 && (
          <CheckList
            legend={t('collections')}
            values={silent.chosen}
            onChange={silent.choose}
            choices={silent.choices}
          />
        )
      }
    </OperationForm>
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
  const t = useWebhookTexts()
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
