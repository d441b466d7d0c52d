/** The names of states in the languages of the status page. */
import type { IncidentState } from '../incident-schema.ts'
import type { PageLanguage } from './component-names.ts'

export const stateNames: Readonly<Record<PageLanguage, Readonly<Record<IncidentState, string>>>> = {
  en: {
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
    scheduled: 'Scheduled',
    in_progress: 'In progress',
    completed: 'Completed',
  },
  nl: {
    investigating: 'In onderzoek',
    identified: 'Oorzaak gevonden',
    monitoring: 'In de gaten gehouden',
    resolved: 'Opgelost',
    scheduled: 'Gepland',
    in_progress: 'Bezig',
    completed: 'Afgerond',
  },
}

/** The texts of updates that are recorded at the planned times of maintenance. */
export const automaticMessages = {
  en: {
    in_progress: 'The maintenance has begun.',
    completed: 'The maintenance is completed.',
  },
  nl: {
    in_progress: 'Het onderhoud is begonnen.',
    completed: 'Het onderhoud is afgerond.',
  },
} as const
