/** The look of the pages of /api/_auth/: the style of our notices with the name and colour of the app. */
import type { FastifyReply } from 'fastify'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { html, type Html } from '../../html/html.ts'
import { renderPlainPage } from '../../html/plain-page.ts'
import { noticeStyle } from '../notices.ts'
import type { AuthVisit } from './visit.ts'

const style = `${noticeStyle}
body{margin:8vh auto 2rem}.place{margin:0;font-weight:600}h2{font-size:1.25rem;margin:2rem 0 0}
button{width:100%;margin:0 0 .75rem}form+form{margin-top:.75rem}
.quiet{background:transparent;color:inherit;border:1px solid GrayText}
.row{display:flex;gap:1rem;align-items:center;justify-content:space-between;overflow-wrap:anywhere}
.row button{width:auto}[hidden]{display:none}`

const DEFAULT_COLOR = '#1a56db'

export function sendAuthPage(
  { reply, place, color, language }: AuthVisit,
  { title, main, status = 200 }: { title: string; main: Html; status?: number },
): FastifyReply {
  const background = color ?? DEFAULT_COLOR
  const themed = `${style}\nbutton:not(.quiet){background:${background};color:${textOn(background)}}`
  const page = renderPlainPage({
    language,
    title: `${title} · ${place}`,
    main: html`<p class="place">${place}</p>
      <h1>${title}</h1>
      ${main}`,
    style: themed,
  })
  return reply
    .code(status)
    .headers({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language,
      Vary: 'Accept-Language',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policyOf(themed),
      // Not `no-referrer`, which would make the Origin of the forms `null`.
      'Referrer-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
    })
    .send(page)
}

function policyOf(css: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${sha256(css).toString('base64')}'`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Black or white, whichever has more contrast (WCAG 2). */
function textOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
}
