/** A self-contained page: its style is inline, and it loads and runs nothing. */
import { html, renderToText, trustHtml, type Html } from './html.ts'

export interface PlainPage {
  /** The language of the text, such as `nl`. */
  language: string
  title: string
  main: Html
  /** CSS, inserted as it is, so that its hash can stand in a Content-Security-Policy. */
  style: string
}

export function renderPlainPage({ language, title, main, style }: PlainPage): string {
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${trustHtml(`<style>${style}</style>`)}
      </head>
      <body>
        <main>${main}</main>
      </body>
    </html>`
  return renderToText(page)
}
