/**
 * The input of the architecture rules: every file of the repository as text, and
 * `architectureRule`, which first tries a rule on planted examples, because a rule that accepts a
 * planted fault checks nothing.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

/** File texts, by path from the root of the repository. */
export type Tree = Readonly<Record<string, string>>

/** Finds violations of a rule. Each fault reads `path:line: What is wrong. What to do instead.` */
export type Rule<Subject = Tree> = (subject: Subject) => string[]

const root = join(import.meta.dirname, '..', '..')
const leftOut = /^(?:\.git|data)$|(?:^|\/)node_modules$|(?:^|\/)\.env$|\.log$/

let whole: Tree | null = null

/** All files of the repository that Git tracks or does not ignore. */
export function readTree(): Tree {
  whole ??= Object.fromEntries(readFolder('').toSorted())
  return whole
}

function readFolder(folder: string): [path: string, text: string][] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (leftOut.test(path)) return []
    if (entry.isDirectory()) return readFolder(path)
    return [[path, readFileSync(join(root, path), 'utf8')]]
  })
}

export interface Planted<Subject> {
  /** Small examples, each with a different fault. */
  refuses: readonly Subject[]
  /** A valid example that is close to every fault. */
  accepts: Subject
}

const faultPattern = /^[\w./@-]+:\d+: [^\n]+\.$/

/** Declares a rule over the files. `sentence` states the rule as a test title. */
export function architectureRule(sentence: string, rule: Rule, planted: Planted<Tree>): void {
  architectureRuleOn(sentence, rule, { ...planted, real: readTree })
}

/** Declares a rule over values that `read` derives from the files or the program. */
export function architectureRuleOn<Subject>(
  sentence: string,
  rule: Rule<Subject>,
  { refuses, accepts, real }: Planted<Subject> & { real(): Subject | Promise<Subject> },
): void {
  describe(sentence, () => {
    test('reports every planted fault with its location', () => {
      for (const planted of refuses) {
        const faults = rule(planted)
        assert.notEqual(faults.length, 0, `No fault was found in ${JSON.stringify(planted)}`)
        for (const fault of faults) assert.match(fault, faultPattern)
      }
    })
    test('accepts the valid example', () => assert.deepEqual(rule(accepts), []))
    test('holds in the repository', async () => {
      const faults = rule(await real())
      assert.ok(faults.length === 0, `\n${faults.join('\n')}\n`)
    })
  })
}

/** The files whose path matches, sorted by path. */
export function filesOf(tree: Tree, path: RegExp): [path: string, text: string][] {
  return Object.entries(tree).filter(([name]) => path.test(name))
}

/** The matches of a global pattern in a text, with their first lines. */
export function findIn(text: string, pattern: RegExp): { line: number; match: RegExpExecArray }[] {
  let line = 1
  let counted = 0
  return Array.from(text.matchAll(pattern), (match) => {
    line += lineAt(text.slice(counted, match.index), Infinity) - 1
    counted = match.index
    return { line, match }
  })
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

export const isTest = (path: string): boolean =>
  path.endsWith('.test.ts') || path.startsWith('test/')
