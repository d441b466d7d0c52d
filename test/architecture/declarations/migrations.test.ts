/** Migrations run in numerical order, so their numbers are unique and start at 0001. */
import { filesOf, architectureRule, type Tree } from '../tree.ts'

const named = /^server\/migrations\/(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.sql$/

function migrationFaults(tree: Tree): string[] {
  const paths = filesOf(tree, /^server\/migrations\//)
    .map(([path]) => path)
    .toSorted()
  return paths.flatMap((path, index) => {
    const number = Number(named.exec(path)?.[1])
    if (Number.isNaN(number))
      return [`${path}:1: It is not named like 0001-what-it-brings.sql. Rename it.`]
    const before = index === 0 ? 0 : Number(named.exec(paths[index - 1] ?? '')?.[1])
    if (number === before)
      return [`${path}:1: There are two with the number ${number}. Take the next one.`]
    if (number === before + 1) return []
    return [`${path}:1: It comes after ${before}, so a number is missing. Close the gap.`]
  })
}

architectureRule('migrations are numbered without gaps or duplicates', migrationFaults, {
  refuses: [
    { 'server/migrations/0002-a.sql': '' },
    { 'server/migrations/0001-a.sql': '', 'server/migrations/0003-b.sql': '' },
    { 'server/migrations/0001-a.sql': '', 'server/migrations/0001-b.sql': '' },
    { 'server/migrations/1-a.sql': '' },
    { 'server/migrations/0001-a.ts': '' },
  ],
  accepts: { 'server/migrations/0001-a.sql': '', 'server/migrations/0002-b-c.sql': '' },
})
