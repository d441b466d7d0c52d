/** The code blocks of a guide, so that tests run what readers copy. */
import assert from 'node:assert/strict'

export interface CodeBlock {
  language: string
  title: string
  code: string
}

/** The fenced blocks of a Markdown text: the language, what stands behind it, and the code. */
export function codeBlocksOf(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```(\w*) ?(.*)\n([^]*?)^```$/gm)].map(
    ([, language = '', title = '', code = '']) => ({ language, title, code: code.trimEnd() }),
  )
}

/** The one block with this title. */
export function blockOf(markdown: string, title: string): string {
  const found = codeBlocksOf(markdown).filter((block) => block.title === title)
  assert.equal(found.length, 1, `${found.length} blocks are called ${title}.`)
  return found[0]?.code ?? ''
}

/** The JSON body that a curl command sends. */
export function bodyOf(command: string): any {
  return JSON.parse(/-d '(.*)'/s.exec(command)?.[1]?.replaceAll("'\\''", "'") ?? '')
}

/** The rows of the table below a heading, the cells without their marks for code. */
export function rowsBelow(markdown: string, heading: string): string[][] {
  const [, below = ''] = markdown.split(`\n## ${heading}\n`)
  const [, table = ''] = /^\|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(below) ?? []
  return table
    .trim()
    .split('\n')
    .map((row) =>
      row
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replaceAll(/^`|`$/g, '')),
    )
}
