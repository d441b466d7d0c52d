/**
 * An area throws only problems that an operation declares: an operation of its own, or of an area
 * that uses it, because call plans also refuse for the operations of numbers. Problems of every
 * operation need no declaration. Every quoted slug counts as thrown, because some are passed in
 * variables.
 */
import { errorCatalogue } from '../../../server/contract/error-catalogue.ts'
import type { Operation } from '../../../server/contract/operation.ts'
import {
  listProblems,
  problemsOfAll,
  problemsOfGuests,
  problemsOfKeys,
} from '../../../server/edges/describe/problems-of.ts'
import { importsOf, withoutComments } from '../code.ts'
import { readOperations, readPeopleOperations } from './operations.ts'
import { filesOf, findIn, architectureRuleOn, isTest, readTree, type Tree } from '../tree.ts'

/**
 * Slugs that an area throws for operations that do not exist yet; remove an entry once an operation
 * declares it.
 */
const lent: Record<string, readonly string[]> = {}

interface Facts {
  tree: Tree
  slugs: readonly string[]
  common: readonly string[]
  /** The slugs that the operations of an area declare, by area. */
  given: Readonly<Record<string, readonly string[]>>
  lent: typeof lent
}

const areaOf = (path: string): string => path.split('/')[2] ?? ''

/** An area and all areas that use it, directly or indirectly. */
function usersOf(area: string, tree: Tree): string[] {
  const code = filesOf(tree, /^server\/areas\/.*\.ts$/).filter(([path]) => !isTest(path))
  const links = code.flatMap(([path, text]) =>
    importsOf(path, text).map(({ file }) => ({ user: areaOf(path), used: areaOf(file ?? '') })),
  )
  const found = new Set([area])
  // Iterating a set includes the elements that are added meanwhile.
  for (const used of found) for (const link of links) if (link.used === used) found.add(link.user)
  return [...found]
}

function thrownFaults({ tree, slugs, common, given, lent: excused }: Facts): string[] {
  const quoted = new RegExp(`'(${slugs.join('|')})'`, 'g')
  const rules = filesOf(
    tree,
    /^server\/areas\/[^/]+\/(?!operations|people-operations|schema\.ts)[^/].*\.ts$/,
  )
  const areas = new Set(rules.map(([path]) => areaOf(path)))
  return [...areas].flatMap((area) => {
    const users = usersOf(area, tree)
    const open = new Set([...common, ...users.flatMap((user) => given[user] ?? [])])
    const needless = (excused[area] ?? []).filter((slug) => open.has(slug))
    const thrown = rules.filter(([path]) => areaOf(path) === area && !isTest(path))
    return [
      ...needless.map(
        (slug) =>
          `test/architecture/declarations/problems.test.ts:1: ${slug} of ${area} is given now. Take it out of \`lent\`.`,
      ),
      ...thrown.flatMap(([path, text]) =>
        findIn(withoutComments(text), quoted).flatMap(({ line, match: [, slug = ''] }) => {
          if (open.has(slug) || excused[area]?.includes(slug)) return []
          const whose = users.length > 1 ? users.join(', ') : area
          return [
            `${path}:${line}: No operation of ${whose} says that it gives ${slug}. Add it to its errors.`,
          ]
        }),
      ),
    ]
  })
}

async function real(): Promise<Facts> {
  const tree = readTree()
  const { operations, peopleOperations, operatorOperations } =
    await import('../../../server/app.ts')
  const files = [...(await readOperations(tree)), ...(await readPeopleOperations(tree))]
  const all = [...operations, ...peopleOperations, ...operatorOperations]
  const declared = Object.groupBy(files, ({ file }) => areaOf(file))
  const given = Object.entries(declared).map(([area, ofArea = []]) => {
    const own = all.filter(({ name }) => ofArea.some((one) => one.name === name))
    return [area, own.flatMap((operation: Operation) => listProblems(operation))] as const
  })
  return {
    tree,
    slugs: Object.keys(errorCatalogue),
    common: [...problemsOfAll, ...problemsOfKeys, ...problemsOfGuests],
    given: Object.fromEntries(given),
    lent,
  }
}

const sound: Facts = {
  tree: {
    'server/areas/a/service.ts':
      "import * as b from '../b/service.ts'\nthrow new Problem('gone', 'It is gone.')",
    'server/areas/b/service.ts': "throw new Problem(full ? 'full' : 'broken', '…')",
    'server/areas/c/heart.ts': "type Refusal = 'poor' // 'full'",
  },
  slugs: ['gone', 'full', 'broken', 'poor'],
  common: ['broken'],
  given: { a: ['gone', 'full'] },
  lent: { c: ['poor'] },
}

architectureRuleOn('what an area throws is said by an operation', thrownFaults, {
  refuses: [
    { ...sound, given: { a: ['gone'] } },
    { ...sound, given: { a: ['full'], c: ['gone'] } },
    { ...sound, common: [] },
    { ...sound, lent: {} },
    { ...sound, given: { ...sound.given, c: ['poor'] } },
  ],
  accepts: sound,
  real,
})

/** Finds unknown slugs that bypass TypeScript through a cast. */
function unknownFaults(operations: readonly Pick<Operation, 'name' | 'errors'>[]): string[] {
  return operations.flatMap(({ name, errors }) =>
    errors
      .filter((slug) => !Object.hasOwn(errorCatalogue, slug))
      .map(
        (slug) =>
          `server/app.ts:1: ${name} gives ${slug}, which the catalogue does not have. Fix it.`,
      ),
  )
}

architectureRuleOn('every slug that an operation gives is in the catalogue', unknownFaults, {
  refuses: [[{ name: 'a.get', errors: JSON.parse('["no_such_slug"]') }]],
  accepts: [{ name: 'a.get', errors: ['not_found'] }],
  real: async () => (await import('../../../server/app.ts')).operations,
})
