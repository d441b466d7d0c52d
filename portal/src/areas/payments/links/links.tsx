/** The payment links of the project, and a new one. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus, QrCode } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../../api/list-table.tsx'
import { OperationDialog } from '../../../api/operation-form.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import type { Column } from '../../../ui/display/table.tsx'
import { paymentsKey } from '../queries.ts'
import { LinkDrawer, linkTones, usePaid } from './link-drawer.tsx'
import { createLink, linksQuery, type LinkInput, type PaymentLink } from './link-queries.ts'
import { useLinkTexts } from './link-texts.ts'

export function Links() {
  const t = useLinkTexts()
  const scope = useProjectScope()
  const [creates, setCreates] = useState(false)
  const [open, setOpen] = useState<PaymentLink | null>(null)
  const query = useInfiniteQuery(linksQuery(scope))
  const action = scope.may('member') && (
    <Button kind="primary" onClick={() => setCreates(true)}>
      <Plus aria-hidden="true" />
      {t('new_link')}
    </Button>
  )
  return (
    <>
      <Card title={t('links')} about={t('about')} aside={action} flush>
        <ListTable
          query={query}
          label={t('links')}
          more={t('more')}
          columns={useColumns(setOpen)}
          icon={<QrCode aria-hidden="true" />}
          empty={{ title: t('empty'), about: t('empty_about'), sentence: t('sentence'), action }}
          onOpen={(link) => setOpen(link)}
        />
      </Card>
      {creates && (
        <NewLink
          onClose={() => setCreates(false)}
          onDone={(link) => {
            setCreates(false)
            setOpen(link)
          }}
        />
      )}
      <LinkDrawer link={open} onChange={setOpen} />
    </>
  )
}

function useColumns(onOpen: (row: PaymentLink) => void): Column<PaymentLink>[] {
  const t = useLinkTexts()
  const format = useFormat()
  const paid = usePaid()
  return [
    {
      id: 'description',
      title: t('purpose'),
      cell: (row) => (
        <button
          type="button"
          onClick={() => onOpen(row)}
          className="text-left font-medium wrap-anywhere hover:text-accent"
        >
          {row.description}
        </button>
      ),
    },
    {
      id: 'status',
      title: t('status'),
      cell: ({ status }) => <Badge tone={linkTones[status]}>{t(status)}</Badge>,
    },
    { id: 'paid', title: t('paid_column'), from: 'md', cell: paid },
    {
      id: 'amount',
      title: t('amount'),
      align: 'right',
      cell: ({ amount_eur }) => (
        <span className={amount_eur === null ? 'wrap-normal' : 'tabular-nums whitespace-nowrap'}>
          {amount_eur === null ? t('free_short') : format.euro(amount_eur)}
        </span>
      ),
    },
  ]
}

interface NewLinkProps {
  onClose(): void
  onDone(link: PaymentLink): void
}

function NewLink({ onClose, onDone }: NewLinkProps) {
  const t = useLinkTexts()
  const scope = useProjectScope()
  const choose = (no: 'fixed' | 'once', yes: 'free' | 'many') => ({
    initial: 'false',
    choices: [
      { value: 'false', text: t(no), about: t(`${no}_about`) },
      { value: 'true', text: t(yes), about: t(`${yes}_about`) },
    ],
  })
  return (
    <OperationDialog
      operation="payment_links.create"
      title={t('new_link')}
      about={t('about')}
      fields={[
        { path: 'description', label: t('description') },
        { path: 'customer_decides', label: t('choice'), ...choose('fixed', 'free') },
        {
          path: 'amount_eur',
          label: t('price'),
          required: true,
          isShown: ({ customer_decides }) => customer_decides === 'false',
        },
        { path: 'vat_percent', label: t('vat'), initial: '21', required: true },
        { path: 'reusable', label: t('uses'), ...choose('once', 'many') },
        { path: 'expires_at', label: t('expires') },
      ]}
      action={t('create')}
      refresh={[paymentsKey(scope)]}
      run={(body: LinkInput) => createLink(scope, body)}
      onClose={onClose}
      onDone={onDone}
    />
  )
}
