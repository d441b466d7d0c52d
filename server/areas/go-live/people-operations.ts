/** The operations of going live, for people only: tasks per rail, switches and the spending cap. */
import { peopleOperation } from '../../contract/people.ts'
import * as schema from './schema.ts'
import * as goLive from './service.ts'

export const rails = peopleOperation({
  name: 'go_live.list',
  route: 'GET /projects/{project_id}/go-live',
  about:
    'Lists the rails of the project: whether each is live, and the requirements it still ' +
    'lacks, and the address of the operator, who completes some of them.',
  keywords:
    'still missing, requirements, ready, launch, real customers, checklist, production, open ' +
    'for real, need from me, activate, telephony, before we start, get going, can we start, ' +
    'onboarding, steps left, setup, sandbox',
  access: 'viewer',
  effect: 'read',
  status: 200,
  reply: schema.RailList,
  errors: [],
  run: (_input, caller) => goLive.listRails(caller),
})

export const switchRail = peopleOperation({
  name: 'go_live.switch',
  route: 'POST /projects/{project_id}/go-live/{rail}',
  about:
    'Switches a rail to live or back to test mode. Switching to live is refused while ' +
    'a requirement is missing; switching back is always allowed.',
  keywords:
    'production, sandbox, real customers, activate, test mode, open for real, switch on, ' +
    'launch, ready to start, turn on the phone, live now',
  access: 'admin',
  fresh: true,
  effect: 'outside',
  params: schema.RailParams,
  body: schema.RailSwitch,
  status: 200,
  reply: schema.RailRow,
  errors: ['verification_required'],
  run: ({ params, body }, caller) =>
    goLive.switchRail(caller, { rail: params.rail, mode: body.mode }),
})

export const spendingCap = peopleOperation({
  name: 'spending_cap.put',
  route: 'PUT /projects/{project_id}/spending-cap',
  about: 'Sets or removes the monthly spending cap.',
  keywords:
    'budget, limit, never spend more than, maximum, month, cost, ceiling, euro, bill, safety ' +
    'brake, raise, no surprises',
  access: 'admin',
  fresh: true,
  effect: 'write',
  body: schema.SpendingCap,
  status: 200,
  reply: schema.SpendingCap,
  errors: ['verification_required'],
  run: ({ body }, caller) => goLive.setSpendingCap(caller, body),
})
