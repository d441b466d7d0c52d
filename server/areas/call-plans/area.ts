/**
 * Call plans, which decide what happens in a call. The operations on plans are in the area of
 * numbers.
 */
import { defineArea } from '../../contract/area.ts'

export const callPlans = defineArea({
  name: 'call-plans',
  // Plans stay with the numbers. An imported one would be followed without having been validated.
  exported: [{ table: 'call_plans', for_reading: true }],
  guides: [
    {
      page: 'call-plans',
      group: 'Phone',
      title: 'Call plans',
      card: { title: 'Call plans', text: 'Decide what a call does.' },
    },
  ],
})
