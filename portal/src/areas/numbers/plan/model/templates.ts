/** Ready-made plans to start from. Numbers to ring are empty, so the check asks for them. */
import type { Language } from '../../../../language/texts.ts'
import type { Plan } from './plan.ts'

export const templateNames = ['assistant', 'ring_first', 'voicemail', 'menu', 'hours'] as const
export type TemplateName = (typeof templateNames)[number]

const spoken = {
  en: {
    press: 'For sales, press 1. For anything else, press 2.',
    sales: 'Sales',
    open: 'While open',
    closed: 'We are closed at the moment. Our assistant can help you.',
    me: 'Ring me',
    leave: 'We cannot answer right now. Please leave a message after the tone.',
  },
  nl: {
    press: 'Toets 1 voor verkoop. Toets 2 voor iets anders.',
    sales: 'Verkoop',
    open: 'Als we open zijn',
    closed: 'We zijn nu gesloten. Onze assistent kan u helpen.',
    me: 'Bel mij eerst',
    leave: 'We kunnen nu niet opnemen. Spreek na de toon een bericht in.',
  },
} as const

const assistant = { id: 'assistant', type: 'ai_agent' } as const

const ring = (id: string, label: string) =>
  ({
    id,
    type: 'forward',
    label,
    strategy: 'sequential',
    targets: [{ kind: 'external', e164: '' }],
    ringSeconds: 20,
    onNoAnswer: 'assistant',
  }) as const

export function templateOf(name: TemplateName, language: Language): Plan {
  const words = spoken[language]
  switch (name) {
    case 'assistant':
      return { entry: 'assistant', nodes: { assistant } }
    case 'ring_first':
      return { entry: 'ring', nodes: { ring: ring('ring', words.me), assistant } }
    case 'voicemail':
      return {
        entry: 'ring',
        nodes: {
          ring: { ...ring('ring', words.me), onNoAnswer: 'voicemail' },
          voicemail: {
            id: 'voicemail',
            type: 'voicemail',
            greeting: { text: words.leave, language },
          },
        },
      }
    case 'menu':
      return {
        entry: 'menu',
        nodes: {
          menu: {
            id: 'menu',
            type: 'menu',
            prompt: { text: words.press, language },
            options: { 1: 'sales', 2: 'assistant' },
            onNoInput: 'assistant',
          },
          sales: ring('sales', words.sales),
          assistant,
        },
      }
    case 'hours':
      return {
        entry: 'hours',
        nodes: {
          hours: {
            id: 'hours',
            type: 'openingHours',
            source: 'assistant',
            onOpen: 'ring',
            onClosed: 'closed',
          },
          ring: ring('ring', words.open),
          closed: {
            id: 'closed',
            type: 'readText',
            text: words.closed,
            language,
            next: 'assistant',
          },
          assistant,
        },
      }
  }
}
