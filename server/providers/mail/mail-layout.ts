/**
 * The HTML part of every mail, made of its plain text. Tables and inline styles, because mail programs
 * support little else. It loads nothing.
 */
import { escapeHtml } from '../../kernel/values/escape-html.ts'
import type { MailLanguage, MailLink, MailMessage } from './mail-contract.ts'

const footers: Readonly<Record<MailLanguage, string>> = {
  en: 'This mail was sent automatically. Replies are not read.',
  nl: 'Deze mail is automatisch verstuurd. Antwoorden worden niet gelezen.',
}

const font =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

/** Colours of the portal. Programs with a dark theme use the second ones. */
const style = `
  body { margin: 0; background: #f3f5f6; color: #12181b; }
  .card { background: #ffffff; border: 1px solid #e4e8ea; border-radius: 12px; }
  .soft { color: #55626a; }
  .button { background: #0b5d66; color: #ffffff; }
  .code { background: #eef1f2; color: #12181b; }
  .line { color: #0b5d66; }
  @media (prefers-color-scheme: dark) {
    body { background: #0b0e10; color: #e9eef0; }
    .card { background: #12171a; border-color: #20282c; }
    .soft { color: #9ca9b0; }
    .button { background: #62c6d0; color: #04181b; }
    .code { background: #1c2327; color: #e9eef0; }
    .line { color: #62c6d0; }
  }`

export function renderMailHtml(
  message: Pick<MailMessage, 'subject' | 'text' | 'language' | 'links'>,
): string {
  const { subject, text, language = 'en', links = [] } = message
  const paragraphs = text.trim().split(/\n{2,}/)
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${style}</style>
</head>
<body>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="font: 16px/1.5 ${font}">
<tr><td align="center" style="padding: 32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px">
<tr><td class="line" style="padding: 0 4px 16px; font-size: 18px; font-weight: 600">Homeport</td></tr>
<tr><td class="card" style="padding: 28px 28px 12px; overflow-wrap: anywhere">
<h1 style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; font-weight: 600">${escapeHtml(subject)}</h1>
${paragraphs.map((paragraph) => renderParagraph(paragraph, links)).join('\n')}
</td></tr>
<tr><td class="soft" style="padding: 16px 4px; font-size: 13px">${footers[language]}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** A sign-in code: digits in two groups. */
const code = /^\d{4} \d{4}$/

function renderParagraph(paragraph: string, links: readonly MailLink[]): string {
  if (code.test(paragraph)) {
    return `<p style="margin: 0 0 16px"><span class="code" style="display: inline-block; padding: 10px 18px; border-radius: 8px; font: 600 26px/1.2 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 2px">${paragraph}</span></p>`
  }
  const lines = paragraph.split('\n').map((line) => {
    const link = links.find(({ url }) => url === line)
    return link ? renderButton(link) : escapeHtml(line)
  })
  return `<p style="margin: 0 0 16px">${lines.join('<br>')}</p>`
}

/** The URL is repeated below the button, for mail programs that show no buttons. */
function renderButton({ url, label }: MailLink): string {
  const address = escapeHtml(url)
  return (
    `<a class="button" href="${address}" style="display: inline-block; margin: 6px 0; padding: 10px 18px; border-radius: 8px; font-weight: 600; text-decoration: none">${escapeHtml(label)}</a>` +
    `<br><span class="soft" style="font-size: 13px">${address}</span>`
  )
}
