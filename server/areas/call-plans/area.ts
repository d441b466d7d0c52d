/** Call plans, which decide what a call does; numbers have the operations. */
import { defineArea } from '../../contract/area.ts'

export const callPlans = defineArea({
  name: 'call-plans',
  guides: [
    {
      page: 'call-plans',
      group: 'Phone',
      title: 'Call plans',
      card: { title: 'Call plans', text: 'Decide what a call does.' },
    },
  ],
})
