/** The personal data in the area agents. */
import {
  daysOf,
  type PersonalDataEntry,
} from '../../contract/catalogue/entries/personal-data-entry.ts'
import { limits } from '../../contract/limits.ts'

export const personalData = {
  agent_runs: {
    title: 'Runs of agents',
    about: 'The event that started a run, and the arguments and replies of its steps.',
    tables: ['agent_runs', 'agent_steps'],
    days: daysOf(limits.agent_runs_kept_s),
    chosen: false,
    days_max: null,
    not_searched:
      'It repeats records that are searched themselves, and is deleted after some time.',
  },
} as const satisfies Record<string, PersonalDataEntry>
