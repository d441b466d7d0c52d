/** The commands of the balance: what the operator adds that no payment provider brought. */
import * as billing from '../areas/billing/service.ts'
import * as projects from '../areas/projects/service.ts'
import { newId } from '../kernel/ids.ts'
import { houseCommand } from './command.ts'
import { euro, id, required } from './option-kinds.ts'
import { findProject, modeOf } from './projects.ts'
import { fields } from './wording.ts'

export const topUp = houseCommand({
  name: 'balance top-up',
  about: 'Adds to the balance of a project, or to that of the live project of its pair.',
  options: {
    project: required(id, 'The project.'),
    'amount-eur': required(euro({ zero: false }), 'How much, such as 25 or 0.5.'),
  },
  async run({ project: asked_id, 'amount-eur': amount_micro }, house) {
    const asked = await findProject(house.db, asked_id)
    const project_id = projects.payingProject(asked)
    await findProject(house.db, project_id)
    await house.db.transact((tx) =>
      billing.topUp(tx, house, {
        project_id,
        amount_micro,
        source: 'payment',
        description: 'Top-up by the operator',
        reference: `operator:${newId(house.clock)}`,
      }),
    )
    const test = modeOf(asked) === 'test'
    const balance = await billing.readBalance(house.db, house, { project_id, test })
    const { balance_eur, currency, spent_this_month_eur, spend_cap_eur } = balance
    return {
      json: balance,
      text: fields({ project_id, balance_eur, currency, spent_this_month_eur, spend_cap_eur }),
    }
  },
})
