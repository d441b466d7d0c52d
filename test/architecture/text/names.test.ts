/**
 * Forbids file names without information ("utils") or with a version, and index files, which hide
 * the location of code.
 */
import { architectureRule, type Tree } from '../tree.ts'

const empty =
  /^(?:utils?|utilities|utility|helpers?|commons?|managers?|misc|miscellaneous|v[2-9])$/i

function nameFaults(tree: Tree): string[] {
  return Object.keys(tree).flatMap((path) => {
    const parts = path.split('/')
    const index = /^index\.[cm]?[jt]sx?$/.exec(parts.at(-1) ?? '')
    if (index)
      return [`${path}:1: A barrel hides where things are. Import from the files themselves.`]
    const word = parts.flatMap((part) => part.split(/[.\-_]/)).find((one) => empty.test(one))
    return word === undefined
      ? []
      : [`${path}:1: "${word}" says nothing. Name it for what it does.`]
  })
}

architectureRule('file and folder names are informative', nameFaults, {
  refuses: [
    { 'server/kernel/utils.ts': '' },
    { 'server/helpers/a.ts': '' },
    { 'server/areas/a/string-util.ts': '' },
    { 'server/areas/a/call-manager.ts': '' },
    { 'server/areas/a/index.ts': '' },
    { 'server/v2/a.ts': '' },
  ],
  accepts: {
    'server/kernel/newest.ts': '',
    'server/areas/a/indexing.ts': '',
    'docs/index.html': '',
  },
})
