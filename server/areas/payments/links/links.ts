/** Payment links: pages that customers open from a message or a QR code, and that create their order. */
import { mayBeReal, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as projects from '../../projects/service.ts'
import { requireProvider } from '../account/account.ts'
import { centsFromEuro, hundredthsFromPercent } from '../orders/amounts.ts'
import type { OrderKey } from '../orders/order-store.ts'
import type {
  PaymentLink,
  PaymentLinkChange,
  PaymentLinkInput,
  PaymentLinkPage,
} from './link-schema.ts'
import * as store from './link-store.ts'
import { presentLink } from './present-link.ts'

const DEFAULT_VAT_PERCENT = 21

export function create(caller: Caller, input: PaymentLinkInput): Promise<PaymentLink> {
  const { runtime, project } = caller
  const test = !mayBeReal(caller, 'payments')
  const vat_hundredths = hundredthsFromPercent(input.vat_percent ?? DEFAULT_VAT_PERCENT)
  if (vat_hundredths === null) throw refuse('/vat_percent', 'must have at most two decimals')
  const row = {
    project_id: project.id,
    id: newId(runtime.clock),
    test,
    description: input.description.trim(),
    amount_cents: readAmount(input),
    vat_hundredths,
    reusable: input.reusable ?? false,
    active: true,
    expires_at: readExpiry(runtime, input.expires_at),
    paid_orders: 0,
    paid_cents: 0n,
    created_at: runtime.clock.now(),
  }
  return caller.db.transact(async (tx) => {
    await requireRoom(tx, row)
    await requireProvider(tx, { project_id: project.id, test })
    const reply = presentLink(runtime, await store.insert(tx, row))
    if (caller.idempotency_key !== null) await caller.remember(tx, reply)
    return reply
  })
}

async function requireRoom(tx: Transaction, key: OrderKey): Promise<void> {
  await projects.lock(tx, key.project_id)
  const others = await store.countOthersActive(tx, key)
  if (others < limits.payment_links_max) return
  throw new Problem(
    'conflict',
    `The project has ${others} payment links that are on, the maximum.`,
    {
      user_message: 'This project already has as many payment links as it may have.',
      next_step:
        'List the payment links, ask the user which one is not needed any more, turn it off, and try again.',
    },
  )
}

function readAmount({ amount_eur, customer_decides = false }: PaymentLinkInput): bigint | null {
  if (customer_decides && amount_eur === undefined) return null
  if (customer_decides) throw refuse('/amount_eur', 'must be left out if the customer decides')
  if (amount_eur === undefined) {
    throw refuse('/amount_eur', 'is required, unless customer_decides is true')
  }
  const cents = centsFromEuro(amount_eur)
  if (cents === null) throw refuse('/amount_eur', 'must be in whole cents')
  return BigInt(cents)
}

function readExpiry({ clock }: Runtime, text: string | undefined): Date | null {
  if (text === undefined) return null
  const expires_at = new Date(text)
  if (expires_at > clock.now()) return expires_at
  throw refuse('/expires_at', 'must be in the future')
}

function refuse(path: string, message: string): Problem {
  return new Problem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] })
}

export async function list(caller: Caller, query: PageQuery): Promise<PaymentLinkPage> {
  const { project, db, runtime } = caller
  const page = await readPage(caller, {
    list: 'payment_links',
    query,
    read: (count, after) => store.list(db, { project_id: project.id, count, after }),
  })
  return { data: page.data.map((row) => presentLink(runtime, row)), next_cursor: page.next_cursor }
}

export async function find({ db, project, runtime }: Caller, id: string): Promise<PaymentLink> {
  const row = await store.find(db, { project_id: project.id, id })
  if (!row) throw unknownLink()
  return presentLink(runtime, row)
}

export async function change(
  { db, project, runtime }: Caller,
  id: string,
  { expires_at, description, active }: PaymentLinkChange,
): Promise<PaymentLink> {
  const changes: store.LinkChange = {
    ...(description !== undefined && { description: description.trim() }),
    ...(active !== undefined && { active }),
    ...(expires_at !== undefined && {
      expires_at: expires_at === null ? null : new Date(expires_at),
    }),
  }
  const key = { project_id: project.id, id }
  const row = await db.transact(async (tx) => {
    if (active === true) await requireRoom(tx, key)
    return store.change(tx, key, changes)
  })
  if (!row) throw unknownLink()
  return presentLink(runtime, row)
}

function unknownLink(): Problem {
  return new Problem('not_found', 'This project has no payment link with this id.')
}
