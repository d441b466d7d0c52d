/** People whom the owner confirmed, and addresses that get no email. */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { InfiniteList } from '../../api/infinite-list.tsx'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { translateMessage } from '../../language/server-texts/translate.ts'
import { useLanguage } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import {
  confirmRecipient,
  emailKey,
  endSuppression,
  recipientsQuery,
  removeRecipient,
  requestRecipient,
  suppress,
  suppressionsQuery,
  type KnownRecipient,
  type Suppression,
} from './queries.ts'
import { useEmailTexts } from './texts.ts'

export function Addresses() {
  return (
    <div className="grid gap-6 pt-6 lg:grid-cols-2 lg:items-start">
      <KnownPeople />
      <Suppressions />
    </div>
  )
}

function KnownPeople() {
  const t = useEmailTexts()
  const scope = useProjectScope()
  const query = useInfiniteQuery(recipientsQuery(scope))
  return (
    <Card title={t('known')} about={t('known_about')} flush>
      {scope.may('member') && <AddAddress run={(address) => requestRecipient(scope, address)} />}
      <InfiniteList query={query} more={t('more')} empty={<Nothing text={t('known_empty')} />}>
        {(rows) => (
          <ul className="divide-y divide-line border-t border-line">
            {rows.map((recipient) => (
              <Known key={recipient.id} recipient={recipient} />
            ))}
          </ul>
        )}
      </InfiniteList>
    </Card>
  )
}

function Known({ recipient }: { recipient: KnownRecipient }) {
  const t = useEmailTexts()
  const scope = useProjectScope()
  const refresh = [emailKey(scope)]
  const { id, address, status, note } = recipient
  const confirm = useAct({
    run: () => confirmRecipient(scope, id),
    done: t('confirm_done'),
    refresh,
  })
  const remove = useAct({ run: () => removeRecipient(scope, id), done: t('removed'), refresh })
  const isOpen = status === 'pending_owner'
  return (
    <AddressRow address={address} note={note}>
      <Badge tone={isOpen ? 'warn' : 'good'}>{t(status)}</Badge>
      {scope.may('owner') && isOpen && (
        <Button size="sm" busy={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
          {t('confirm')}
        </Button>
      )}
      {scope.may('owner') && (
        <Button
          kind="ghost"
          size="sm"
          busy={remove.isPending}
          onClick={() => remove.mutate(undefined)}
        >
          {t('remove')}
        </Button>
      )}
    </AddressRow>
  )
}

function Suppressions() {
  const t = useEmailTexts()
  const scope = useProjectScope()
  const query = useInfiniteQuery(suppressionsQuery(scope))
  return (
    <Card title={t('suppressions')} about={t('suppressions_about')} flush>
      {scope.may('member') && <AddAddress run={(address) => suppress(scope, address)} />}
      <InfiniteList
        query={query}
        more={t('more')}
        empty={<Nothing text={t('suppressions_empty')} />}
      >
        {(rows) => (
          <ul className="divide-y divide-line border-t border-line">
            {rows.map((suppression) => (
              <Suppressed key={suppression.address} suppression={suppression} />
            ))}
          </ul>
        )}
      </InfiniteList>
    </Card>
  )
}

function Suppressed({ suppression: { address, reason, origin } }: { suppression: Suppression }) {
  const t = useEmailTexts()
  const language = useLanguage()
  const scope = useProjectScope()
  const allow = useAct({
    run: () => endSuppression(scope, address),
    done: t('allowed'),
    refresh: [emailKey(scope)],
  })
  return (
    <AddressRow address={address} note={translateMessage(reason, language)}>
      <Badge>{t(origin)}</Badge>
      {scope.may('member') && (
        <Button
          kind="ghost"
          size="sm"
          busy={allow.isPending}
          onClick={() => allow.mutate(undefined)}
        >
          {t('allow')}
        </Button>
      )}
    </AddressRow>
  )
}

interface AddressRowProps {
  address: string
  note: string | null
  children: ReactNode
}

function AddressRow({ address, note, children }: AddressRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-2 px-5 py-3">
      <div className="min-w-48 flex-1">
        <p className="font-medium break-all">{address}</p>
        {note !== null && <p className="text-sm text-muted">{note}</p>}
      </div>
      {children}
    </li>
  )
}

function Nothing({ text }: { text: string }) {
  return <p className="border-t border-line px-5 py-4 text-muted">{text}</p>
}

function AddAddress({ run }: { run(address: string): Promise<unknown> }) {
  const t = useEmailTexts()
  const scope = useProjectScope()
  const form = useForm({ defaultValues: { address: '' } })
  const act = useAct({
    run: ({ address }: { address: string }) => run(address.trim()),
    refresh: [emailKey(scope)],
    onDone: () => form.reset(),
  })
  const isAddress = (text: string) => /^\S+@\S+\.\S+$/.test(text.trim()) || t('address_fault')
  return (
    <form
      noValidate
      className="flex items-end gap-2 px-5 pb-4"
      onSubmit={(event) => void form.handleSubmit((draft) => act.mutate(draft))(event)}
    >
      <div className="flex-1">
        <Field label={t('address')} fault={form.formState.errors.address?.message}>
          <Input
            type="email"
            autoComplete="off"
            {...form.register('address', { validate: isAddress })}
          />
        </Field>
      </div>
      <Button type="submit" busy={act.isPending}>
        {t('add')}
      </Button>
    </form>
  )
}
