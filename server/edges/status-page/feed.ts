/** The Atom feed (RFC 4287): one entry for each incident, which changes with each of its updates. */
import * as status from '../../areas/status/service.ts'
import { html, renderToText, type Html } from '../html/html.ts'
import { messageOf, type Incident } from './incident.ts'
import { pageTexts } from './texts.ts'
import type { View } from './view.ts'

export const ATOM = 'application/atom+xml; charset=utf-8'
const ENTRIES_MAX = 25

export interface FeedOptions {
  language: status.PageLanguage
  /** Origin of the server. */
  public_url: string
}

export function renderFeed({ status: now, content }: View, options: FeedOptions): string {
  const { language, public_url } = options
  const page = `${public_url}/status`
  const incidents = (content?.incidents ?? [])
    .toSorted((one, other) => updatedAt(other).localeCompare(updatedAt(one)))
    .slice(0, ENTRIES_MAX)
  const [newest] = incidents
  const updated = newest === undefined ? (content?.as_of ?? now.checked_at) : updatedAt(newest)
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
    <id>${page}</id>
    <title>Homeport ${pageTexts[language].title}</title>
    <updated>${updated}</updated>
    <author><name>Homeport</name></author>
    <link rel="self" type="application/atom+xml" href="${page}/feed.atom?lang=${language}" />
    <link rel="alternate" type="text/html" href="${page}?lang=${language}" />
    ${incidents.map((incident) => renderEntry(incident, options))}
  </feed>`
  return `<?xml version="1.0" encoding="utf-8"?>\n${validText(renderToText(feed))}\n`
}

function updatedAt({ updates, started_at }: Incident): string {
  return updates[0]?.posted_at ?? started_at
}

function renderEntry(incident: Incident, { language, public_url }: FeedOptions): Html {
  const { id, title, state, updates } = incident
  const url = `${public_url}/status/incidents/${id}`
  const published = updates.at(-1)?.posted_at ?? incident.started_at
  const content = updates.map((update) => {
    const name = status.stateNames[language][update.state]
    const time = `<time>${update.posted_at}</time>`
    return `<p><strong>${name}</strong> ${time}<br/>${paragraphs(messageOf(update, language))}</p>`
  })
  return html`<entry>
    <id>urn:uuid:${id}</id>
    <title>[${status.stateNames[language][state]}] ${title}</title>
    <updated>${updatedAt(incident)}</updated>
    <published>${published}</published>
    <link rel="alternate" type="text/html" href="${url}?lang=${language}" />
    <content type="html">${content.join('')}</content>
  </entry>`
}

/** The text as HTML, which the feed escapes once more. */
function paragraphs(text: string): string {
  return renderToText(html`${text}`).replaceAll('\n', '<br/>')
}

/** Removes characters that XML 1.0 excludes. */
function validText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}
