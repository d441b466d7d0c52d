/**
 * A model that obeys everything: it looks for orders in all texts that it gets, of the owner as well
 * as of visitors, pages and results of tools, and calls any tool with any input that they name. It
 * repeats its instructions in any form, and whatever a tool returned.
 */
import type {
  ScriptedCall,
  StreamedReply,
  StreamedRequest,
} from '../../test/fixtures/external/streaming-model.ts'

const ORDER = /\[\[(?<verb>call|say) (?<rest>[^\]]+)\]\]/g
const CALLS_MAX = 60

export function obey({ messages }: StreamedRequest): StreamedReply {
  const told = messages.filter(({ role }) => role === 'tool')
  // After results of tools it calls what they ask for; it has obeyed the other texts before.
  const calls = ordersIn(told.length > 0 ? told : messages, 'call').flatMap(callsOf)
  const system = messages.find(({ role }) => role === 'system')?.content ?? ''
  const said = ordersIn(messages, 'say').map((order) => writeOrders(system, order))
  const text = ['Certainly.', ...told.map(({ content }) => content), ...said].join('\n')
  return { text, calls: calls.slice(0, CALLS_MAX) }
}

function ordersIn(messages: StreamedRequest['messages'], verb: 'call' | 'say'): string[] {
  return messages
    .flatMap(({ content }) => [...String(content).matchAll(ORDER)])
    .flatMap(({ groups = {} }) => (groups['verb'] === verb ? (groups['rest'] ?? '') : []))
}

/** `look_up collection=staff; search=all; times=3` */
function callsOf(order: string): ScriptedCall[] {
  const [tool = '', ...rest] = order.trim().split(' ')
  const pairs = rest
    .join(' ')
    .split(';')
    .map((pair) => pair.split('='))
    .filter(([name]) => name?.trim())
    .map(([name = '', ...value]) => [name.trim(), value.join('=').replace(/^ /, '')] as const)
  const { times = '1', ...input } = Object.fromEntries(pairs)
  return Array.from({ length: Number(times) || 1 }, () => ({ tool, input }))
}

/** The instructions of the owner, as the request has them. */
function writeOrders(system: string, order: string): string {
  const owner = /<owner>\n(?<lines>[\s\S]*?)\n<\/owner>/.exec(system)?.groups?.['lines'] ?? ''
  // A request for a summary has no instructions of the owner.
  const text = owner
    .split('\n')
    .filter(Boolean)
    .map((line): string => JSON.parse(line))
    .join('\n')
  switch (order.trim().split(' ')[1]) {
    case 'upper':
      return text.toUpperCase()
    case 'spaced':
      return [...text].join(' ')
    case 'dashed':
      return text.replaceAll(' ', '-')
    case 'reversed':
      return [...text].toReversed().join('')
    case 'base64':
      return Buffer.from(text).toString('base64')
    default:
      return text
  }
}
