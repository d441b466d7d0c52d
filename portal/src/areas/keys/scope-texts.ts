/** The descriptions of the scopes. A scope without a description does not compile. */
import { defineTexts, type Translate } from '../../language/texts.ts'
import type { KeyScope } from './queries.ts'

type Table = Readonly<Record<KeyScope, string>>

const en: Table = {
  'project:read': 'Read the project and its balance',
  'numbers:read': 'Read phone numbers and call plans',
  'calls:read': 'Read calls and transcripts',
  'messages:read': 'Read messages',
  'chat:read': 'Read chats',
  'sites:read': 'Read sites',
  'data:read': 'Read data and media',
  'project:write': 'Change the project',
  'numbers:write': 'Order numbers and change call plans',
  'assistant:write': 'Change the assistant',
  'webhooks:write': 'Manage webhooks',
  'messages:write': 'Send messages',
  'calls:write': 'Let the assistant call people',
  'chat:write': 'Write in chats',
  'sites:write': 'Publish sites',
  'data:write': 'Change data and media',
  'payments:read': 'Read orders',
  'payments:write': 'Create and refund orders',
}

const nl: Table = {
  'project:read': 'Project en tegoed lezen',
  'numbers:read': 'Telefoonnummers en belplannen lezen',
  'calls:read': 'Gesprekken en transcripties lezen',
  'messages:read': 'Berichten lezen',
  'chat:read': 'Chats lezen',
  'sites:read': 'Sites lezen',
  'data:read': 'Gegevens en media lezen',
  'project:write': 'Project wijzigen',
  'numbers:write': 'Nummers bestellen en belplannen wijzigen',
  'assistant:write': 'Assistent wijzigen',
  'webhooks:write': 'Webhooks beheren',
  'messages:write': 'Berichten sturen',
  'calls:write': 'De assistent mensen laten bellen',
  'chat:write': 'In chats schrijven',
  'sites:write': 'Sites publiceren',
  'data:write': 'Gegevens en media wijzigen',
  'payments:read': 'Bestellingen lezen',
  'payments:write': 'Bestellingen maken en terugbetalen',
}

export const useScopeTexts: () => Translate<Table> = defineTexts('scopes', { en, nl })
export const keyScopes = Object.keys(en).filter((name): name is KeyScope => name in en)
