/**
 * Tests that the repository works on every machine: no file contains a folder of one machine or the
 * address of a package registry.
 */
import { filesOf, findIn, architectureRule, type Tree } from '../tree.ts'

const folders =
  /(?<![\w.:*-])\/(?:work|root|tmp|var\/tmp)\/[\w.-]+|(?<![\w.:*/-])\/(?:home|Users)\/[\w.-]+\//g
const registries =
  /\bhttps?:\/\/[^\s/"']*(?:registry|verdaccio|artifactory|nexus|npm-mirror)[^\s/"']*|^\s*(?:@[\w-]+:)?registry\s*=/gim

function leakFaults(tree: Tree): string[] {
  return filesOf(tree, /^(?!test\/architecture\/text\/leaks\.test\.ts$)/).flatMap(
    ([path, text]) => [
      ...findIn(text, folders).map(({ line, match }) => {
        return `${path}:${line}: ${match[0]} is a folder of one machine. Use a relative path or node:os tmpdir().`
      }),
      ...findIn(text, registries).map(({ line }) => {
        return `${path}:${line}: It names a registry. Let the settings of npm decide where packages come from.`
      }),
    ],
  )
}

architectureRule('no file contains a folder of one machine or a registry address', leakFaults, {
  refuses: [
    { 'server/a.ts': "const a = '/tmp/a'" },
    { 'README.md': 'Look at /work/ada.' },
    { 'a.sh': 'cd /home/ada/homeport' },
    { 'package-lock.json': '"resolved": "https://registry.example.org/a/-/a-1.0.0.tgz"' },
    { '.npmrc': 'registry=https://npm.example.org' },
  ],
  accepts: {
    'README.md':
      'A checkout in /root is fine; see https://a.example/work/b and server/work/c, ./tmp/x, /docs/a.',
    'package-lock.json': '"resolved": "server"',
  },
})
