/** Code contains no marks of unfinished work, which belong in the issue tracker. */
import { filesOf, findIn, architectureRule, type Tree } from '../tree.ts'

const marks = ['TODO', 'FIXME', 'XXX']
const markPattern = new RegExp(`\\b(?:${marks.join('|')})\\b`, 'g')

function markFaults(tree: Tree): string[] {
  return filesOf(
    tree,
    /^(?!package-lock\.json$|test\/architecture\/text\/unfinished\.test\.ts$)/,
  ).flatMap(([path, text]) =>
    findIn(text, markPattern).map(({ line, match }) => {
      return `${path}:${line}: ${match[0]} marks something unfinished. Finish it, or take it out.`
    }),
  )
}

architectureRule('no file contains a mark of unfinished work', markFaults, {
  refuses: marks.map((mark) => ({ 'server/a.ts': `/** Begun. */\n// ${mark}: the rest` })),
  accepts: {
    'server/a.ts': '// A todo list, and a fixmeup.',
    'package-lock.json': `"sha512-a/${marks[2]}/b"`,
  },
})
