/** Who may create an account, and the invitations to do so. */
import { useQuery } from '@tanstack/react-query'
import { Plus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { api, read, type Schemas } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { OperationDialog } from '../../api/operation-form.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { useInvitationTexts } from './invitation-texts.ts'
import { operatorKey } from './queries.ts'

const invitationsKey = [...operatorKey, 'invitations'] as const

type Created = Schemas['SignUpInvitationsCreateReply']

export function Page() {
  const t = useInvitationTexts()
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
  const t = useInvitationTexts()
  const [created, setCreated] = useState<Created | null>(null)
  if (created !== null) {
    return (
      <Dialog onClose={onClose} title={t('created')} about={t('created_about')}>
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
    <OperationDialog
      operation="sign_up_invitations.create"
      title={t('invite')}
      about={t('invite_about')}
      fields={[
        {
          path: 'email',
          label: t('email'),
          hint: t('email_hint'),
          placeholder: 'anna@example.com',
        },
        {
          path: 'language',
          label: t('language'),
          initial: 'en',
          choices: [
            { value: 'en', text: 'English' },
            { value: 'nl', text: 'Nederlands' },
          ],
        },
      ]}
      action={t('create')}
      refresh={[invitationsKey]}
      run={(body: Schemas['SignUpInvitationsCreateBody']) =>
        read(api.POST('/operator/sign-up-invitations', { body }))
      }
      onClose={onClose}
      onDone={setCreated}
    />
  )
}
