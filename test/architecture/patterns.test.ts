/**
 * Regular expressions run in linear time; otherwise one hostile text blocks the event loop. An
 * automaton checker (recheck) checks each literal of the server and of the form script. One that
 * takes it too long fails as well, unless it is listed here. The checker takes minutes for all, so
 * its verdicts are in pattern-verdicts.json, which this test completes: commit it with the literal.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import recheck from 'recheck/lib/browser.js'
import { regexesOf } from './code.ts'
import { architectureRule, filesOf, isTest, lineAt, readTree, type Tree } from './tree.ts'

/** Literals that are slow for long texts, with the reason why their input is short. */
const bounded: ReadonlyMap<string, string> = new Map([
  [String.raw`/(?:[^",]|"(?:[^"\\]|\\.)*"?)*/y`, 'nothing follows it, so it never backtracks'],
  [String.raw`/^[^\s@<>,;:"]+@[^\s@<>,;:"]+\.[^\s@<>,;:"]+$/`, 'at most 254 characters'],
  [
    String.raw`/\.+$/`,
    'at most 200 characters of a carrier, and messages of the operator’s own machine',
  ],
  [String.raw`/\/+$/`, 'addresses in settings of the operator'],
  [String.raw`/\[([^\]]+)\]\([^)]*\)/g`, 'our own guides'],
  [String.raw`/\]\((\/docs\/[^)#]+)(?:#[^)]*)?\)/g`, 'our own guides'],
  [String.raw`/<h2[^>]*\sid="([^"]+)"[^>]*>(.*?)<\/h2>/gs`, 'our own pages'],
  [String.raw`/<[^>]*>/g`, 'our own pages'],
  [String.raw`/\s*,\s*/`, 'our own lists of words'],
])

/** Starts of literals that take the checker minutes, with the reason why they are fast. */
const complex: ReadonlyMap<string, string> = new Map([
  [String.raw`/(?:\bcalled|`, 'every repetition is bounded'],
  [String.raw`/\b(?:powershell(?:`, 'every repetition is bounded'],
  [String.raw`/[€£$]|\b(?:euros?|`, 'the one repetition without a bound follows a fixed word'],
  [String.raw`/^[^\s@"(),:;<>[\]\\]{1,64}@`, 'one argument on the command line of the operator'],
])

/** High, so that a slow machine gets the same results. */
const TIMEOUT_MS = 120_000

const file = join(import.meta.dirname, 'pattern-verdicts.json')
const kept: Readonly<Record<string, string>> = JSON.parse(readFileSync(file, 'utf8'))
/** The verdicts of this run. */
const verdicts = new Map<string, string>()

function keepVerdicts(): void {
  const sorted = Object.fromEntries(
    [...verdicts].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  const text = `${JSON.stringify(sorted, null, 2)}\n`
  if (text !== readFileSync(file, 'utf8')) writeFileSync(file, text)
}

/** Returns `safe`, `vulnerable`, `timeout`, or `unknown` for syntax that the checker does not know. */
function verdictOn(literal: string): string {
  const known = verdicts.get(literal)
  if (known !== undefined) return known
  const verdict = Object.hasOwn(kept, literal) ? kept[literal]! : judge(literal)
  verdicts.set(literal, verdict)
  return verdict
}

function judge(literal: string): string {
  const end = literal.lastIndexOf('/')
  const options = { checker: 'automaton', timeout: TIMEOUT_MS } as const
  try {
    const result = recheck.checkSync(literal.slice(1, end), literal.slice(end + 1), options)
    const isTooLong = result.status === 'unknown' && result.error.kind === 'timeout'
    return isTooLong ? 'timeout' : result.status
  } catch (error) {
    // Many repetitions overflow the stack of the checker.
    if (error instanceof RangeError) return 'unknown'
    throw error
  }
}

function patternsOf(tree: Tree): { path: string; line: number; literal: string }[] {
  return filesOf(tree, /^(?:server|widget\/forms)\/.*\.(?:ts|js)$/)
    .filter(([path]) => !isTest(path))
    .flatMap(([path, text]) =>
      regexesOf(text).map(({ at, literal }) => ({ path, line: lineAt(text, at), literal })),
    )
}

function isListed(literal: string): boolean {
  return bounded.has(literal) || [...complex.keys()].some((start) => literal.startsWith(start))
}

function slowPatterns(tree: Tree): string[] {
  return patternsOf(tree)
    .filter(
      ({ literal }) => !isListed(literal) && ['vulnerable', 'timeout'].includes(verdictOn(literal)),
    )
    .map(({ path, line, literal }) => {
      const fault =
        verdictOn(literal) === 'vulnerable'
          ? 'takes the square of the length of a text or more'
          : 'takes the checker too long'
      const advice = 'Write it without repetitions that overlap, or bound the text and list it here'
      return `${path}:${line}: ${literal} ${fault}. ${advice}.`
    })
}

architectureRule('regular expressions run in linear time', slowPatterns, {
  refuses: [
    { 'server/a.ts': String.raw`const number = /^\d+\.?\d*$/` },
    { 'server/a.ts': String.raw`text.replace(/=+$/, '')` },
    { 'widget/forms/a.js': String.raw`text.split(/\s*;\s*/)` },
    { 'server/a.ts': 'const name = /^(?:a|a)*$/' },
  ],
  accepts: {
    'server/a.ts': String.raw`const number = /^\d+(?:\.\d*)?$/; const half = a / b / c`,
    'server/a.test.ts': String.raw`/=+$/`,
  },
})

test('every exception on the list still exists', () => {
  const literals = patternsOf(readTree()).map(({ literal }) => literal)
  const missing = [
    ...[...bounded.keys()].filter((listed) => !literals.includes(listed)),
    ...[...complex.keys()].filter((start) => !literals.some((one) => one.startsWith(start))),
  ]
  assert.deepEqual(missing, [])
  keepVerdicts()
})
