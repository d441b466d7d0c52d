/**
 * Finds operations by words, best first. Words of the name count most, then those of the route and
 * of the arguments, then those of the sentence about it. Beginnings match, so that `order` finds
 * `orders` and `ordering`; and a word that people say for what a name says counts as that.
 */
import type { OperationTool } from './tool.ts'

interface Indexed {
  tool: OperationTool
  fields: readonly (readonly [weight: number, words: readonly string[]])[]
}

/** Verbs of names, and what people say for them. */
const said: Readonly<Record<string, string>> = {
  create: 'make add new insert build',
  update: 'change edit modify set rename',
  replace: 'overwrite',
  delete: 'remove erase drop',
  list: 'show see all',
  get: 'show see read look',
  rollback: 'undo restore revert back',
  query: 'sum total average count add',
}

/** The verbs that a word may mean. */
function verbsOf(word: string): string[] {
  return Object.keys(said).filter((verb) => said[verb]?.split(' ').includes(word))
}

export type Search = (query: string) => OperationTool[]

export function searchOver(tools: readonly OperationTool[]): Search {
  const index = tools.map(indexed)
  return (query) => {
    const asked = [...new Set(wordsOf(query))]
    return index
      .map((one) => ({ tool: one.tool, score: scoreOf(one, asked) }))
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score)
      .map(({ tool }) => tool)
  }
}

function indexed(tool: OperationTool): Indexed {
  const { name, route, about } = tool.operation
  return {
    tool,
    fields: [
      [5, wordsOf(name)],
      [3, wordsOf(route)],
      [2, wordsOf([...tool.places.keys()].join(' '))],
      [1, wordsOf(about)],
    ],
  }
}

function scoreOf({ fields }: Indexed, asked: readonly string[]): number {
  const bestOf = (word: string) =>
    Math.max(...[word, ...verbsOf(word)].map((one) => bestFor(one, fields)))
  return asked.reduce((sum, word) => sum + bestOf(word), 0)
}

function bestFor(word: string, fields: Indexed['fields']): number {
  const found = fields.map(([weight, words]) =>
    words.includes(word) ? weight * 2 : words.some((one) => sameBeginning(one, word)) ? weight : 0,
  )
  return Math.max(...found)
}

function sameBeginning(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 4 && long.startsWith(short.replace(/(?:s|e|ing|ed)$/, ''))
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
