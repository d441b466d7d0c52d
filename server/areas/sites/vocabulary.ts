/** The scopes and the limits of keys that sites add to the contract. */
import type { LimitedToEntry } from '../../contract/catalogue/entries/limited-to-entry.ts'
import type { ScopeEntry } from '../../contract/catalogue/entries/scope-entry.ts'

export const scopes = {
  'sites:read': {
    about: 'sites, versions, domains, apps, media library, sending domains',
    read_only: true,
    title: 'Sites and files',
    may: 'sites, their versions and media',
    title_nl: 'Sites en bestanden',
    may_nl: 'sites, hun versies en media',
  },
  'sites:write': {
    about: 'publishing sites; domains, apps, media library, sending domains',
    read_only: false,
    title: 'Sites and files',
    may: 'publish and change sites and media',
    title_nl: 'Sites en bestanden',
    may_nl: 'sites en media publiceren en wijzigen',
  },
} as const satisfies Record<string, ScopeEntry>

export const limitedTo = {
  sites: { about: 'Ids of the sites.', values: 'Ids of sites of the project.', chosen: true },
} as const satisfies Record<string, LimitedToEntry>
