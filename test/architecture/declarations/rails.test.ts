/**
 * Each effect outside asks the rail of its feature: a file of an area that uses a provider that reaches
 * people or moves money is listed with its rail, and with the file that asks for it.
 */
import { importsOf } from '../code.ts'
import { filesOf, architectureRule, isTest, type Tree } from '../tree.ts'

const providers = /(?:providers\/carrier\/carrier|providers\/checkout\/checkouts|\/smarthost)\.ts$/

interface Gate {
  rail: 'phone' | 'outbound' | 'sms' | 'email' | 'payments' | 'domains'
  /** The file that asks whether the rail is live. */
  asks: string
}

const numbers: Gate = { rail: 'phone', asks: 'server/areas/numbers/service.ts' }
const payments: Gate = { rail: 'payments', asks: 'server/areas/payments/pay/checkout-page.ts' }

/** A text is the reason why the file asks no rail. */
const uses: Readonly<Record<string, Gate | string>> = {
  'server/areas/email/delivery/deliver.ts': {
    rail: 'email',
    asks: 'server/areas/email/delivery/deliver.ts',
  },
  'server/areas/calls/live/addresses.ts': 'It calls nobody.',
  'server/areas/calls/live/begin.ts': 'It takes calls that come in to a number that is live.',
  'server/areas/calls/live/callbacks.ts': 'It goes on with calls that run.',
  'server/areas/calls/live/session.ts': 'It goes on with calls that run.',
  'server/areas/calls/outbound/dial.ts': {
    rail: 'outbound',
    asks: 'server/areas/calls/outbound/dial.ts',
  },
  'server/areas/calls/outbound/place.ts': {
    rail: 'outbound',
    asks: 'server/areas/calls/outbound/place.ts',
  },
  'server/areas/messages/incoming/apply.ts': 'It reads what the carrier reports.',
  'server/areas/messages/incoming/callback-url.ts': 'It sends nothing.',
  'server/areas/messages/sending/send-queued.ts': {
    rail: 'sms',
    asks: 'server/areas/messages/sending/send-queued.ts',
  },
  'server/areas/messages/service.ts': { rail: 'sms', asks: 'server/areas/messages/service.ts' },
  'server/areas/numbers/orders/order.ts': numbers,
  'server/areas/numbers/orders/reconcile.ts': 'It settles or returns what was ordered.',
  'server/areas/numbers/orders/settle.ts': 'It settles or returns what was ordered.',
  'server/areas/numbers/people/terms.ts': 'It sends nothing.',
  'server/areas/numbers/search.ts': numbers,
  'server/areas/numbers/service.ts': numbers,
  'server/areas/payments/account/account.ts': 'It reads the state of the account.',
  'server/areas/payments/account/open-account.ts': 'Its callers ask, before money is taken.',
  'server/areas/payments/pay/callbacks.ts': 'It reads payments.',
  'server/areas/payments/pay/checkout-page.ts': payments,
  'server/areas/verification/phone/phone.ts': 'The code goes to the owner, not for a project.',
}
const here = 'test/architecture/declarations/rails.test.ts'

function railFaults(tree: Tree): string[] {
  return filesOf(tree, /^server\/areas\/.*\.ts$/)
    .filter(([path]) => !isTest(path))
    .filter(([path, text]) =>
      importsOf(path, text).some(({ file, is_type }) => !is_type && providers.test(file ?? '')),
    )
    .flatMap(([path]) => faultOf(path, tree))
}

function faultOf(path: string, tree: Tree): string[] {
  const use = uses[path]
  if (typeof use === 'string') return []
  if (!use) {
    return [`${path}:1: It uses a provider of outside effects. List it with its rail in ${here}.`]
  }
  const asked = new RegExp(`mayBeReal\\([^)]*'${use.rail}'\\)|rails\\.${use.rail}\\b`)
  if (asked.test(tree[use.asks] ?? '')) return []
  return [`${use.asks}:1: It does not ask for the rail ${use.rail}, which ${path} needs.`]
}

const uses_carrier = "import { carrierOf } from '../../../providers/carrier/carrier.ts'\n"
const sending = 'server/areas/messages/sending/send-queued.ts'

architectureRule('every effect outside asks its own rail', railFaults, {
  refuses: [
    {
      'server/areas/calls/dial.ts':
        "import { carrierOf } from '../../providers/carrier/carrier.ts'",
    },
    { [sending]: `${uses_carrier}const may = project.rails.phone === 'live'` },
    { [sending]: `${uses_carrier}const may = mayBeReal(caller, 'phone')` },
  ],
  accepts: { [sending]: `${uses_carrier}const may = project.rails.sms === 'live'` },
})
