/** The prepared texts of proposals, in the languages of the portal. */
import type { Proposal } from '../incident-schema.ts'
import type { ComponentId } from '../schema.ts'
import { componentNamesIn, type PageLanguage } from '../page/component-names.ts'
import type { ProposalRow } from './probes-store.ts'

type Proposed = Pick<ProposalRow, 'kind' | 'impact' | 'since'> & {
  components: readonly ComponentId[]
}

interface Zone {
  billing_timezone: string
}

interface Words {
  and: string
  down: string
  limited: string
  report(parts: string, at: string): string
  resolved: string
  recovered(parts: string, at: string): string
}

const words: Readonly<Record<PageLanguage, Words>> = {
  en: {
    and: 'and',
    down: 'not available',
    limited: 'limited',
    report: (parts, at) =>
      `Our checks of ${parts} have failed since ${at}. We are looking for the cause, and will post an update here.`,
    resolved: 'Resolved',
    recovered: (parts, at) => `${parts}: our checks have succeeded again since ${at}.`,
  },
  nl: {
    and: 'en',
    down: 'niet beschikbaar',
    limited: 'beperkt beschikbaar',
    report: (parts, at) =>
      `Onze controles van ${parts} mislukken sinds ${at}. Wij zoeken de oorzaak en plaatsen hier een update.`,
    resolved: 'Opgelost',
    recovered: (parts, at) => `${parts}: onze controles slagen weer sinds ${at}.`,
  },
}

export function writeProposal(proposed: Proposed, zone: Zone): Proposal['texts'] {
  return { en: writeIn('en', proposed, zone), nl: writeIn('nl', proposed, zone) }
}

function writeIn(
  language: PageLanguage,
  { kind, impact, since, components }: Proposed,
  { billing_timezone: timeZone }: Zone,
): Proposal['texts']['en'] {
  const { and, down, limited, report, resolved, recovered } = words[language]
  const names = components.map((id) => componentNamesIn[language][id])
  const last = names.at(-1) ?? ''
  const parts = names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${and} ${last}`
  const locale = language === 'nl' ? 'nl-NL' : 'en-GB'
  const at = since.toLocaleString(locale, { timeZone, hour: '2-digit', minute: '2-digit' })
  if (kind === 'resolve') return { title: resolved, message: recovered(parts, at) }
  return { title: `${parts}: ${impact === 'minor' ? limited : down}`, message: report(parts, at) }
}
