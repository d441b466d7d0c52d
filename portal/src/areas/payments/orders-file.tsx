/** Saves every order as CSV. */
import { Download } from 'lucide-react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { saveTable } from '../billing/statement/csv.ts'
import { readAllOrders, type Order } from './queries.ts'
import { usePaymentTexts } from './texts.ts'

const columns = [
  'number',
  'status',
  'created_at',
  'paid_at',
  'amount_eur',
  'vat_eur',
  'refunded_eur',
  'customer_name',
  'customer_email',
  'items',
  'test',
  'id',
] as const

export function OrdersFile() {
  const t = usePaymentTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: async () => saveTable('orders', columns, (await readAllOrders(scope)).map(rowOf)),
    refresh: [],
  })
  return (
    <Button size="sm" busy={act.isPending} onClick={() => act.mutate(undefined)}>
      <Download aria-hidden="true" />
      {t('save_csv')}
    </Button>
  )
}

function rowOf(order: Order) {
  const { number, status, created_at, paid_at, amount_eur, vat_eur, refunded_eur, customer } = order
  return {
    number,
    status,
    created_at,
    paid_at,
    amount_eur,
    vat_eur,
    refunded_eur,
    customer_name: customer.name,
    customer_email: customer.email,
    items: order.items.map(({ quantity, name }) => `${quantity} × ${name}`).join('; '),
    test: String(order.test),
    id: order.id,
  }
}
