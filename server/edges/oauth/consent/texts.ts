/** The texts of the consent page, in the languages of the portal. */
import type { Role } from '../../../areas/people/service.ts'
import type { Mode } from '../../../contract/caller.ts'
import { scopes, type Scope } from '../../../contract/scopes.ts'
import type { PageLanguage } from '../../html/language.ts'

type ScopeWords = Readonly<{ title: string; may: string }>

const roles: Readonly<Record<Role, string>> = {
  viewer: 'viewer',
  member: 'member',
  admin: 'admin',
  owner: 'owner',
}

const modes: Readonly<Record<Mode, readonly [string, string]>> = {
  test: ['Test', 'no real calls or payments; sites and data are real in test mode too'],
  live: ['Live', 'rails that are live have real effects and can cost money'],
}

const en = {
  title: (client: string) => `Connect ${client}`,
  heading: (client: string) => `Connect ${client}?`,
  requests: ' requests access to one of your projects.',
  sent_to: 'Your decision is sent to ',
  to_app: ['the app that opens ', ' on this device'] as readonly [string, string],
  to_program: 'a program on this computer, ',
  unverified: (client: string) =>
    `It is not verified that this is really ${client}: the program chose its own name`,
  sent_here: ', and the decision is sent to this device, where any program could pretend to be it',
  trust_program: 'Continue only if you started this yourself, in a program that you trust.',
  described_at: 'It is described at ',
  other_address: (host: string) => `The decision is sent to ${host}, which is another address.`,
  this_device: 'The decision is sent to this device, where any program could pretend to be it.',
  trust_address: 'Continue only if you trust that address and started this yourself.',
  no_project: (email: string) =>
    `You are signed in as ${email}, and are not a member of any project that it could be connected to.`,
  which_project: 'Which project?',
  shapes: { single: '', live: 'live project, ', test: 'test project, ' },
  roles,
  continue: 'Continue',
  cancel: 'Cancel',
  allow: 'Allow',
  project: 'Project:',
  another_project: 'Choose another',
  revocable:
    'It never has more permissions than you, and you can revoke it at any time under Connections in the project.',
  mode: 'Mode',
  modes,
  no_live: 'Live mode is available once the company of the project is verified.',
  scope: (name: Scope): ScopeWords => scopes[name],
  requested: 'requested',
  gets: ' gets exactly the permissions checked below. At first only requested read permissions are checked.',
  asks_changes: (client: string, words: string) =>
    `${client} also requests permission to make changes: ${words}. These are not checked. Without them it can read, and its attempts to change something are refused.`,
  read: 'Read',
  change: 'Change',
  change_about: 'Granted only if you check it. Connect again to grant more later.',
  limit_sites: 'Limit to some sites',
  only_sites: 'Only these sites and their data',
  none_chosen: (everything: boolean) =>
    `None chosen: ${everything ? 'the whole project' : 'all sites that you can access'}.`,
  faults: {
    project: 'Choose a project that you are a member of.',
    mode: 'Choose a mode that the project offers.',
    role: 'Your role in this project does not include all of these permissions.',
    scope: 'Choose at least one permission.',
    site: 'One of the sites does not belong to this project.',
  },
}

const nl: typeof en = {
  title: (client) => `${client} verbinden`,
  heading: (client) => `${client} verbinden?`,
  requests: ' vraagt toegang tot een van uw projecten.',
  sent_to: 'Uw besluit wordt gestuurd naar ',
  to_app: ['de app die ', ' op dit apparaat opent'],
  to_program: 'een programma op deze computer, ',
  unverified: (client) =>
    `Het is niet gecontroleerd dat dit echt ${client} is: het programma koos zelf zijn naam`,
  sent_here: ', en het besluit gaat naar dit apparaat, waar elk programma zich ervoor kan uitgeven',
  trust_program: 'Ga alleen door als u dit zelf bent begonnen, in een programma dat u vertrouwt.',
  described_at: 'Het staat beschreven op ',
  other_address: (host) => `Het besluit wordt gestuurd naar ${host}, en dat is een ander adres.`,
  this_device: 'Het besluit gaat naar dit apparaat, waar elk programma zich ervoor kan uitgeven.',
  trust_address: 'Ga alleen door als u dat adres vertrouwt en dit zelf bent begonnen.',
  no_project: (email) =>
    `U bent aangemeld als ${email}, en zit niet in het team van een project waarmee het verbonden kan worden.`,
  which_project: 'Welk project?',
  shapes: { single: '', live: 'liveproject, ', test: 'testproject, ' },
  roles: { viewer: 'lezer', member: 'lid', admin: 'beheerder', owner: 'eigenaar' },
  continue: 'Doorgaan',
  cancel: 'Annuleren',
  allow: 'Toestaan',
  project: 'Project:',
  another_project: 'Een ander kiezen',
  revocable:
    'Het krijgt nooit meer rechten dan u, en u kunt het op elk moment intrekken bij Koppelingen in het project.',
  mode: 'Modus',
  modes: {
    test: [
      'Test',
      'geen echte gesprekken of betalingen; sites en gegevens zijn ook in de testmodus echt',
    ],
    live: ['Live', 'diensten die live zijn, hebben echte gevolgen en kunnen geld kosten'],
  },
  no_live: 'De livemodus is beschikbaar zodra het bedrijf van het project is gecontroleerd.',
  scope: (name) => ({ title: scopes[name].title_nl, may: scopes[name].may_nl }),
  requested: 'gevraagd',
  gets: ' krijgt precies de rechten die hieronder zijn aangevinkt. Eerst zijn alleen gevraagde leesrechten aangevinkt.',
  asks_changes: (client, words) =>
    `${client} vraagt ook om iets te mogen wijzigen: ${words}. Dit is niet aangevinkt. Zonder deze rechten kan het lezen, en wordt elke poging om iets te wijzigen geweigerd.`,
  read: 'Lezen',
  change: 'Wijzigen',
  change_about: 'Alleen toegestaan als u het aanvinkt. Verbind later opnieuw om meer toe te staan.',
  limit_sites: 'Beperken tot enkele sites',
  only_sites: 'Alleen deze sites en hun gegevens',
  none_chosen: (everything) =>
    `Niets gekozen: ${everything ? 'het hele project' : 'alle sites waar u bij kunt'}.`,
  faults: {
    project: 'Kies een project waarvan u in het team zit.',
    mode: 'Kies een modus die het project biedt.',
    role: 'Uw rol in dit project omvat niet al deze rechten.',
    scope: 'Kies ten minste één recht.',
    site: 'Een van de sites hoort niet bij dit project.',
  },
}

export const consentTexts: Readonly<Record<PageLanguage, typeof en>> = { en, nl }

export type ConsentTexts = typeof en
