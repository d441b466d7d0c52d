/** Who may create an account, and the invitations to do so. */
import { useQuery } from '@tanstack/react-query'
import { Plus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { api, read, type Schemas } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { invitationTexts } from './invitation-texts.ts'
import { operatorKey } from './queries.ts'

const invitationsKey = [...operatorKey, 'invitations'] as const

type Created = Schemas['SignUpInvitationsCreateReply']

export function Page() {
  const t = useTexts(invitationTexts)
  const format = useFormat()
  const [invites, setInvites] = useState(false)
  const query = useQuery({
    queryKey: invitationsKey,
    queryFn: ({ signal }) => read(api.GET('/operator/sign-up-invitations', { signal })),
  })
  const withdraw = useAct({
    run: (id: string) =>
      read(api.DELETE('/operator/sign-up-invitations/{id}', { params: { path: { id } } })),
    done: t('withdrawn'),
    refresh: [invitationsKey],
  })
  const isClosed = query.data?.mode === 'closed'
  return (
    <>
      <title>{t('title')}</title>
      <PageHeader
        title={t('title')}
        about={query.data === undefined ? t('about') : t(`mode_${query.data.mode}`)}
        actions={
          !isClosed && (
            <Button kind="primary" onClick={() => setInvites(true)}>
              <Plus aria-hidden="true" />
              {t('invite')}
            </Button>
          )
        }
      />
      <Card flush>
        <QueryState query={query}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState
                icon={<UserPlus aria-hidden="true" />}
                title={t('empty')}
                about={t(isClosed ? 'empty_closed' : 'empty_about')}
              />
            ) : (
              <ul className="divide-y divide-line">
                {data.map(({ id, email, expires_at }) => (
                  <li key={id} className="flex flex-wrap items-center gap-3 px-5 py-4">
                    <span className="min-w-48 flex-1">
                      <span className="block font-medium break-all">{email ?? t('any')}</span>
                      <span className="block text-sm text-muted">
                        {t('expires', { date: format.date(expires_at) })}
                      </span>
                    </span>
                    <Button
                      size="sm"
                      aria-label={t('withdraw_invitation', { email: email ?? t('any') })}
                      onClick={() => withdraw.mutate(id)}
                    >
                      {t('withdraw')}
                    </Button>
                  </li>
                ))}
              </ul>
            )
          }
        </QueryState>
      </Card>
      {invites && <InviteDialog onClose={() => setInvites(false)} />}
    </>
  )
}

function InviteDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(invitationTexts)
  const [email, setEmail] = useState('')
  const [language, setLanguage] = useState<'en' | 'nl'>('en')
  const [fault, setFault] = useState<string>()
  const [created, setCreated] = useState<Created | null>(null)
  const act = useAct({
    run: () => {
      const body = { email: email.trim() === '' ? null : email.trim(), language }
      return read(api.POST('/operator/sign-up-invitations', { body }))
    },
    refresh: [invitationsKey],
    onDone: setCreated,
    onFault(problem) {
      setFault(problem.user_message)
      return true
    },
  })
  if (created !== null) {
    return (
      <Dialog open onOpenChange={onClose} title={t('created')} about={t('created_about')}>
        <CodeBlock code={created.url} label={t('link')} />
        {created.mailed && <p className="mt-3 text-sm text-muted">{t('mailed')}</p>}
        <DialogButtons>
          <Button kind="primary" onClick={onClose}>
            {t('close')}
          </Button>
        </DialogButtons>
      </Dialog>
    )
  }
  return (
    <Dialog open onOpenChange={onClose} title={t('invite')} about={t('invite_about')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          act.mutate()
        }}
      >
        <Field label={t('email')} hint={t('email_hint')} fault={fault}>
          <Input
            type="email"
            autoComplete="off"
            placeholder="anna@example.com"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Field label={t('language')}>
          <Select
            value={language}
            onChange={setLanguage}
            choices={[
              { value: 'en', text: 'English' },
              { value: 'nl', text: 'Nederlands' },
            ]}
          />
        </Field>
        <DialogButtons>
          <Button type="submit" kind="primary" busy={act.isPending}>
            {t('create')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
