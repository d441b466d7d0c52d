/** The actions of the forms of the billing page. */
import * as billing from '../../../../areas/billing/service.ts'
import * as goLive from '../../../../areas/go-live/service.ts'
import { Problem } from '../../../../contract/errors.ts'
import { readEuro } from './amount.ts'
import { withNext } from '../../session-cookie.ts'
import {
  requireWholeProject,
  type Handler,
  type PortalReply,
  type ProjectVisit,
} from '../../visit.ts'
import { billingPage, billingPath } from './billing.ts'

/** Zero could mean "no cap" or "spend nothing", so it is refused. */
const CAP_MICRO_MIN = 10_000n
const CAP_MICRO_MAX = 1_000_000_000_000n
const NO_ZERO =
  'Leave the field empty for no cap. To stop all spending, switch back to test mode under Go live.'
const bounds = billing.autoReloadBounds

/**
 * Requires access to the whole project and a recent confirmation of identity, and shows a refusal
 * on the billing page.
 */
function billingAction(change: Handler<ProjectVisit>): Handler<ProjectVisit> {
  return async (visit) => {
    requireWholeProject(visit)
    const path = billingPath(visit)
    if (!visit.who.fresh) return { to: withNext('/portal/confirm', path) }
    try {
      return await change(visit)
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      return billingPage(visit, { fault: error.extra.user_message ?? error.detail })
    }
  }
}

export const orderTopUp = billingAction(async (visit): Promise<PortalReply> => {
  const { form, caller, who } = visit
  const amount_eur = readEuro(form.get('amount'), bounds.amount_micro)
  if (typeof amount_eur === 'string') return billingPage(visit, { fault: amount_eur })
  const save_card = form.get('save_card') === 'yes'
  const asker = { ...caller, person: who.person }
  return billingPage(visit, {
    ordered: await billing.orderTopUp(asker, { amount_eur, save_card }),
  })
})

export const saveCap = billingAction(async (visit): Promise<PortalReply> => {
  const text = (visit.form.get('cap') ?? '').trim()
  const cap = text === '' ? null : readEuro(text, { min: CAP_MICRO_MIN, max: CAP_MICRO_MAX })
  if (typeof cap === 'string') return billingPage(visit, { fault: `${cap} ${NO_ZERO}` })
  await goLive.setSpendingCap(visit.caller, { spend_cap_eur: cap })
  return { to: `${billingPath(visit)}?done=cap` }
})

export const saveAutoReload = billingAction(async (visit): Promise<PortalReply> => {
  const { form, caller } = visit
  const threshold_eur = readEuro(form.get('threshold'), bounds.threshold_micro)
  const amount_eur = readEuro(form.get('reload'), bounds.amount_micro)
  const { min, max } = bounds.max_per_month
  const times = Number(form.get('times') ?? '')
  if (typeof threshold_eur === 'string') return billingPage(visit, { fault: threshold_eur })
  if (typeof amount_eur === 'string') return billingPage(visit, { fault: amount_eur })
  if (!Number.isInteger(times) || times < min || times > max) {
    return billingPage(visit, { fault: `Automatic top-up can run ${min} to ${max} times a month.` })
  }
  await billing.putAutoReload(caller, {
    enabled: form.get('enabled') === 'yes',
    threshold_eur,
    amount_eur,
    max_per_month: times,
    ...(form.get('forget') === 'yes' ? { card: null } : {}),
  })
  return { to: `${billingPath(visit)}?done=reload` }
})
