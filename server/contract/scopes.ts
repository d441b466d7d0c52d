/**
 * The scopes: those of the specification in its order, then ours. A request without the scope of an
 * operation gets 403 missing_scope.
 */

export interface ScopeEntry {
  /** The specification's text, which the documentation shows. */
  readonly about: string
  /** Whether the scope only permits reading. Connections get such scopes by default. */
  readonly read_only: boolean
  /** The subject of the scope, as the consent page shows it. */
  readonly title: string
  /** The permission in plain words. Names only functions that this server has. */
  readonly may: string
  /** `title` in Dutch. */
  readonly title_nl: string
  /** `may` in Dutch. */
  readonly may_nl: string
}

const table = {
  'project:read': {
    about: 'GET /project, the balance, the agents (read), the MCP server',
    read_only: true,
    title: 'Project',
    may: 'its facts, balance and approvals; every assistant needs this',
    title_nl: 'Project',
    may_nl: 'gegevens, tegoed en goedkeuringen; elke assistent heeft dit nodig',
  },
  'numbers:read': {
    about: 'GET /numbers, GET /numbers/available, GET /numbers/{id}/call-plan',
    read_only: true,
    title: 'Phone numbers',
    may: 'your numbers and the call plans of their calls',
    title_nl: 'Telefoonnummers',
    may_nl: 'uw nummers en de belplannen van hun gesprekken',
  },
  'calls:read': {
    about: 'GET /calls, GET /calls/{id} with transcripts, POST /test/calls in test mode',
    read_only: true,
    title: 'Calls',
    may: 'all calls, with what was said',
    title_nl: 'Telefoongesprekken',
    may_nl: 'alle gesprekken, met wat er is gezegd',
  },
  'messages:read': {
    about: 'SMS messages and emails with status',
    read_only: true,
    title: 'Messages',
    may: 'all text messages and emails, with their text and delivery status',
    title_nl: 'Berichten',
    may_nl: 'alle sms-berichten en e-mails, met hun tekst en afleverstatus',
  },
  'chat:read': {
    about: 'chat conversations and chat widget tokens',
    read_only: true,
    title: 'Chat',
    may: 'all text conversations, and the tokens of chat widgets and forms',
    title_nl: 'Chat',
    may_nl: 'alle chatgesprekken, en de tokens van chatwidgets en formulieren',
  },
  'sites:read': {
    about: 'sites, versions, domains, apps, media library, sending domains',
    read_only: true,
    title: 'Sites and files',
    may: 'sites, their versions and media',
    title_nl: 'Sites en bestanden',
    may_nl: 'sites, hun versies en media',
  },
  'data:read': {
    about: 'collections and documents',
    read_only: true,
    title: 'Data',
    may: 'collections and their documents',
    title_nl: 'Gegevens',
    may_nl: 'collecties en hun documenten',
  },
  'project:write': {
    about: 'company details, managing agents',
    read_only: false,
    title: 'Project',
    may: 'change company details',
    title_nl: 'Project',
    may_nl: 'bedrijfsgegevens wijzigen',
  },
  'numbers:write': {
    about: 'claiming/releasing numbers, call plans',
    read_only: false,
    title: 'Phone numbers',
    may: 'order and release numbers, decide what a call does',
    title_nl: 'Telefoonnummers',
    may_nl: 'nummers bestellen en teruggeven, bepalen wat een gesprek doet',
  },
  'assistant:write': {
    about: 'configuring the voice assistant',
    read_only: false,
    title: 'Voice assistant',
    may: 'decide what it knows and says',
    title_nl: 'Spraakassistent',
    may_nl: 'bepalen wat die weet en zegt',
  },
  'webhooks:write': {
    about: 'create, list, delete, enable, test webhook endpoints',
    read_only: false,
    title: 'Webhooks',
    may: 'decide where events are sent',
    title_nl: 'Webhooks',
    may_nl: 'bepalen waarheen gebeurtenissen worden gestuurd',
  },
  'messages:write': {
    about: 'sending SMS and email',
    read_only: false,
    title: 'Messages',
    may: 'send text messages and emails',
    title_nl: 'Berichten',
    may_nl: 'sms-berichten en e-mails versturen',
  },
  'calls:write': {
    about: 'outbound calls by the assistant',
    read_only: false,
    title: 'Change calls',
    may: 'delete calls with their transcripts',
    title_nl: 'Telefoongesprekken wijzigen',
    may_nl: 'gesprekken met hun transcripties verwijderen',
  },
  'chat:write': {
    about: 'starting chats, managing chat widget tokens',
    read_only: false,
    title: 'Chat',
    may: 'hold text conversations, and manage the tokens of chat widgets and forms',
    title_nl: 'Chat',
    may_nl: 'chatgesprekken voeren, en de tokens van chatwidgets en formulieren beheren',
  },
  'sites:write': {
    about: 'publishing sites; domains, apps, media library, sending domains',
    read_only: false,
    title: 'Sites and files',
    may: 'publish and change sites and media',
    title_nl: 'Sites en bestanden',
    may_nl: 'sites en media publiceren en wijzigen',
  },
  'data:write': {
    about: 'creating collections, writing documents',
    read_only: false,
    title: 'Data',
    may: 'create collections; write and delete their documents',
    title_nl: 'Gegevens',
    may_nl: 'collecties maken; hun documenten schrijven en verwijderen',
  },

  // Payments
  'payments:read': {
    about: 'orders, refunds and the payment account',
    read_only: true,
    title: 'Payments',
    may: 'all orders with their customers, refunds and the payment account',
    title_nl: 'Betalingen',
    may_nl: 'alle bestellingen met hun klanten, terugbetalingen en het betaalaccount',
  },
  'payments:write': {
    about: 'creating and refunding orders',
    read_only: false,
    title: 'Payments',
    may: 'create orders that customers pay, and refund them',
    title_nl: 'Betalingen',
    may_nl: 'bestellingen maken die klanten betalen, en ze terugbetalen',
  },
} as const satisfies Record<string, ScopeEntry>

export type Scope = keyof typeof table

export const scopes: Readonly<Record<Scope, ScopeEntry>> = table

export const scopeNames: readonly Scope[] = Object.keys(table).filter(isScope)

export function isScope(word: string): word is Scope {
  return Object.hasOwn(table, word)
}
