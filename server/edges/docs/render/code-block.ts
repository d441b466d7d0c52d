/** Code on a page: a titled, scrollable block, with highlighted syntax. */
import { html, type Html } from '../../html/html.ts'
import { formatJson } from '../../describe/samples/curl.ts'

interface Kind {
  readonly name: string
  readonly pattern: string
}

const jsonKinds: readonly Kind[] = [
  { name: 'key', pattern: String.raw`"(?:[^"\\]|\\.)*"(?=\s*:)` },
  { name: 'text', pattern: String.raw`"(?:[^"\\]|\\.)*"` },
  {
    name: 'value',
    pattern: String.raw`-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b`,
  },
]

const programKinds: readonly Kind[] = [
  { name: 'comment', pattern: String.raw`(?:^|(?<=\s))(?:\/\/|#(?!\{)).*$|\/\*\*.*?\*\/` },
  {
    name: 'text',
    pattern: String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'` + '|`(?:[^`\\\\]|\\\\.)*`',
  },
]

export function jsonBlock(title: string, value: unknown): Html {
  return block(title, coloured(formatJson(value), jsonKinds))
}

export function programBlock(title: string, source: string): Html {
  return block(title, coloured(source.trimEnd(), programKinds))
}

export function shellBlock(title: string, command: string): Html {
  return block(title, html`${command}`)
}

export interface Tab {
  name: string
  block: Html
}

/** Blocks of which one is visible at a time. Radio buttons select it, so no script is needed. */
export function tabs(id: string, choices: readonly Tab[]): Html {
  return html`<div class="tabs" role="group" aria-label="Language">
    ${choices.map(
      ({ name }, index) =>
        html`<input
            type="radio"
            name="${id}"
            id="${id}-${index}"
            value="${name}"
            ${index === 0 && html` checked`}
          /><label for="${id}-${index}">${name}</label>`,
    )}
    ${choices.map(({ block: shown }) => shown)}
  </div>`
}

function block(title: string, content: Html): Html {
  return html`<figure class="code">
    <figcaption>${title}</figcaption>
    <pre tabindex="0" aria-label="${title}"><code>${content}</code></pre>
  </figure>`
}

function coloured(text: string, kinds: readonly Kind[]): Html {
  const pattern = new RegExp(
    kinds.map(({ name, pattern }) => `(?<${name}>${pattern})`).join('|'),
    'gm',
  )
  const pieces: Html[] = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    const kind = kinds.find(({ name }) => match.groups?.[name] !== undefined)?.name ?? ''
    pieces.push(html`${text.slice(at, match.index)}<span class="${kind}">${match[0]}</span>`)
    at = match.index + match[0].length
  }
  return html`${pieces}${text.slice(at)}`
}
