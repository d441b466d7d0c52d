/**
 * SQL is only in the stores of areas and in the kernel, so each table has one owner and every query
 * can be checked for its project. Row types may be used anywhere. The command line may connect
 * directly, because a backup or restore covers the whole database. Tests may query the database.
 */
import { codeOf, importsOf } from '../code.ts'
import { filesOf, findIn, architectureRule, isTest, type Tree } from '../tree.ts'

const home =
  /^server\/kernel\/|^server\/areas\/[^/]+\/(?:[^/]+\/)*(?:[\w-]+-)?store\.ts$|\/store\/[\w-]+\.ts$/
const builders = new Set(['kysely'])
const drivers = new Set(['pg', 'pg-copy-streams'])
const queries =
  /\b(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\s*\(|\bsql(?:<[^`]*>)?`/g
const advice = 'Move it to the store.ts of the area, or into the kernel.'

function sqlFaults(tree: Tree): string[] {
  const outside = filesOf(tree, /^server\/.*\.ts$/).filter(
    ([path]) => !home.test(path) && !isTest(path),
  )
  return outside.flatMap(([path, text]) => [
    ...importsOf(path, text)
      .filter(({ from, is_type }) => !is_type && (builders.has(from) || connects(path, from)))
      .map(({ line, from }) => `${path}:${line}: It imports values of ${from}. ${advice}`),
    ...findIn(codeOf(text), queries).map(
      ({ line }) => `${path}:${line}: It queries the database. ${advice}`,
    ),
  ])
}

function connects(path: string, from: string): boolean {
  return drivers.has(from) && !path.startsWith('server/command-line/')
}

architectureRule('SQL is only in stores and in the kernel', sqlFaults, {
  refuses: [
    { 'server/areas/a/service.ts': "import { sql } from 'kysely'" },
    { 'server/edges/a.ts': "import pg from 'pg'" },
    { 'server/command-line/a.ts': "import { sql } from 'kysely'" },
    { 'server/areas/a/service.ts': "const a = await tx.updateTable('a')" },
    { 'server/app.ts': 'const a = sql<{ b: Map<string, number> }>`select 1`' },
    { 'server/areas/a/restore.ts': "db.selectFrom('a')" },
  ],
  accepts: {
    'server/areas/a/store.ts': "import { sql } from 'kysely'\ndb.selectFrom('a')",
    'server/areas/a/queue/store.ts': "db.deleteFrom('a')",
    'server/areas/a/queue-store.ts': "db.deleteFrom('a')",
    'server/areas/a/service.ts': "import type { Selectable } from 'kysely'\n// db.selectFrom('a')",
    'server/areas/a/a.test.ts': "import { sql } from 'kysely'",
    'server/command-line/backup/backup.ts': "import pg from 'pg'",
  },
})
