/** The error for a limit of the plan. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'
import { plans } from '../../contract/plans.ts'
import { formatSize } from '../../kernel/values/size.ts'

const askForPlan =
  'Tell the user what the plan allows, as detail says it. Offer to make room, or ask the owner to ' +
  'choose a larger plan in the portal under Billing, at Plan; plan_url is the address of that page.'

export const errors = {
  plan_limit_reached: {
    status: [402, 409],
    about:
      `The plan of the project does not allow this. Free has ${plans.free.sites_max} sites, ` +
      `${formatSize(plans.free.data_bytes_max)} of data, ` +
      `${formatSize(plans.free.files_bytes_max)} of files and one team member, with ` +
      'phone numbers and payments in test mode only. The status is 402 for what the plan does ' +
      'not include at all and 409 when what it includes is used up.',
    user: 'The current plan of this project does not allow this.',
    next: {
      rest: askForPlan,
      mcp: askForPlan,
      portal: 'Make room, or choose a larger plan under Billing, at Plan.',
    },
  },
} as const satisfies Record<string, ErrorEntry>
