/**
 * Requires that each relative link in a document leads to an existing file and heading. Internet
 * addresses are not checked.
 */
import { posix } from 'node:path'
import { filesOf, findIn, architectureRule, type Tree } from '../tree.ts'

const link =
  /(?<!!)\[[^\]\n]*\]\(\s*<?(?<inline>[^)\s>]+)>?[^)]*\)|^\[[^\]\n]+\]:\s*(?<defined>\S+)|!\[[^\]\n]*\]\((?<image>[^)\s]+)\)/gm
const elsewhere = /^(?:[a-z][a-z0-9+.-]*:|\/)/i

/** Removes code blocks, whose links are examples. */
function proseOf(markdown: string): string {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ')
  return markdown
    .replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, blank)
    .replaceAll(/`[^`\n]*`/g, blank)
}

/** The anchors of a document's headings: the written one, such as {#fast}, or as GitHub generates them. */
function anchorsOf(markdown: string): string[] {
  const headings = proseOf(markdown.replaceAll('`', '')).match(/^#{1,6} .*$/gm) ?? []
  return headings.map(
    (heading) =>
      / \{#([\w-]+)\}$/.exec(heading)?.[1] ??
      heading
        .replace(/^#+ /, '')
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
  )
}

function linkFaults(tree: Tree): string[] {
  const paths = Object.keys(tree)
  return filesOf(tree, /\.md$/).flatMap(([path, text]) =>
    findIn(proseOf(text), link).flatMap(({ line, match: { groups } }) => {
      const written = groups?.['inline'] ?? groups?.['defined'] ?? groups?.['image'] ?? ''
      if (elsewhere.test(written)) return []
      const [place = '', anchor] = written.split('#')
      const target =
        place === '' ? path : posix.join(posix.dirname(path), decodeURI(place)).replace(/\/$/, '')
      const there =
        target in tree || paths.some((one) => one.startsWith(`${target}/`)) || target === '.'
      if (!there)
        return [`${path}:${line}: It links to ${written}, which is not there. Fix the link.`]
      const document = anchor && target.endsWith('.md') ? anchorsOf(tree[target] ?? '') : null
      if (document === null || document.includes(anchor ?? '')) return []
      return [`${path}:${line}: ${target} has no heading for #${anchor}. Fix the link.`]
    }),
  )
}

architectureRule('every link in a document leads to an existing file', linkFaults, {
  refuses: [
    { 'docs/a.md': 'See [b](b.md).' },
    { 'docs/a.md': 'See [b](../b.md "B").', 'docs/b.md': '' },
    { 'a.md': 'See [b][1].\n\n[1]: docs/b.md' },
    { 'a.md': '![b](b.png)' },
    { 'a.md': '[b](b.md#two)', 'b.md': '# One' },
    { 'a.md': '[b](#two)' },
  ],
  accepts: {
    'a.md':
      '# A: the `first`, and more\n[b](docs/b.md#two-words) [c](docs/) [d](https://d.example) [a](#a-the-first-and-more) [f](docs/b.md#fast)',
    'docs/b.md':
      '## Two words\n## Speed {#fast}\n`[x](y.md)`\n```\n[x](y.md)\n```\n[a](../a.md) [up](..)',
  },
})
