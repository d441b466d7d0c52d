/** The pages: the state now, the history of a month, and one incident. */
import assert from 'node:assert/strict'
import type { PageLanguage } from '../../areas/status/service.ts'
import { html, type Html } from '../html/html.ts'
import { renderComponent } from './component.ts'
import { dayIn, renderTime, writeMonth } from './format.ts'
import { renderFrame, STATUS_PATH } from './frame.ts'
import { renderIncident, type Incident, type Words } from './incident.ts'
import { pageTexts } from './texts.ts'
import type { View } from './view.ts'

const PAST_MS = 14 * 86_400_000
const MONTHS_SHOWN = 12
/** Used only without a copy of the page. */
const ZONE_WITHOUT_CONTENT = 'UTC'

export interface PageOptions {
  language: PageLanguage
  /** Whether the page offers a subscription by mail. */
  can_subscribe: boolean
}

function wordsOf({ content }: View, language: PageLanguage): Words {
  const { locale } = pageTexts[language]
  return { language, locale, zone: content?.time_zone ?? ZONE_WITHOUT_CONTENT }
}

export function renderNow(view: View, { language, can_subscribe }: PageOptions): string {
  const t = pageTexts[language]
  const words = wordsOf(view, language)
  const incidents = view.content?.incidents ?? []
  const current = incidents.filter(
    ({ ended_at, state }) => ended_at === null && state !== 'scheduled',
  )
  const planned = incidents
    .filter(({ state }) => state === 'scheduled')
    .toSorted((one, other) => one.started_at.localeCompare(other.started_at))
  const main = html`${renderOverall(view, current, words)} ${renderStaleness(view, words)}
    ${renderList(t.current, current, words)} ${renderList(t.planned, planned, words)}
    <section>
      <h2>${t.components}</h2>
      <ul class="components">
        ${view.status.components.map(({ id, status: health }) => {
          const days = view.content?.components.find((one) => one.id === id)?.days ?? null
          return renderComponent({ id, health, days }, words)
        })}
      </ul>
    </section>
    ${renderPast(view, incidents, words)} ${can_subscribe && renderSubscription(language)}`
  return renderFrame({ language, title: t.title, path: STATUS_PATH, main })
}

function renderOverall({ status }: View, current: readonly Incident[], words: Words): Html {
  const t = pageTexts[words.language]
  const is_work = current.length > 0 && current.every(({ kind }) => kind === 'maintenance')
  const state = status.status === 'degraded' && is_work ? 'maintenance' : status.status
  return html`<section class="overall ${state}">
    <h1>${t[state]}</h1>
    <p>${t.updated} ${renderTime(status.checked_at, words)}</p>
  </section>`
}

function renderStaleness({ is_stale, content }: View, words: Words): Html | null {
  if (!is_stale) return null
  const t = pageTexts[words.language]
  if (content === null) return html`<p class="stale" role="status">${t.no_history}</p>`
  return html`<p class="stale" role="status">${t.stale} ${renderTime(content.as_of, words)}.</p>`
}

function renderList(title: string, incidents: readonly Incident[], words: Words): Html | null {
  if (incidents.length === 0) return null
  return html`<section>
    <h2>${title}</h2>
    ${incidents.map((incident) => renderIncident(incident, words, { level: 3 }))}
  </section>`
}

function renderPast(view: View, incidents: readonly Incident[], words: Words): Html {
  const t = pageTexts[words.language]
  const since = new Date(view.status.checked_at).getTime() - PAST_MS
  const past = incidents.filter(
    ({ ended_at }) => ended_at !== null && new Date(ended_at).getTime() >= since,
  )
  return html`<section>
    <h2>${t.past}</h2>
    ${past.length === 0 && view.content !== null && html`<p class="none">${t.no_past}</p>`}
    ${past.map((incident) => renderIncident(incident, words, { level: 3 }))}
    <p><a href="${STATUS_PATH}/history?lang=${words.language}">${t.history}</a></p>
  </section>`
}

function renderSubscription(language: PageLanguage): Html {
  const t = pageTexts[language]
  return html`<section id="subscribe">
    <h2>${t.subscribe}</h2>
    <p id="subscribe-about">${t.subscribe_about}</p>
    <form class="subscribe" method="post" action="${STATUS_PATH}/subscribe">
      <input type="hidden" name="lang" value="${language}" />
      <label for="email">${t.email}</label>
      <div class="field">
        <input
          id="email"
          type="email"
          name="email"
          required
          maxlength="254"
          autocomplete="email"
          aria-describedby="subscribe-about"
        />
        <button type="submit">${t.send}</button>
      </div>
    </form>
  </section>`
}

/** The month if the history has it, by default the newest one; null for another month. */
export function findMonth(view: View, asked: string | null): string | null {
  const months = monthsOf(view)
  return months.find((month) => asked === null || month === asked) ?? null
}

function monthsOf(view: View): string[] {
  const { zone } = wordsOf(view, 'en')
  return lastMonths(dayIn(view.status.checked_at, zone))
}

/** `month` is one that `findMonth` returned. */
export function renderHistory(
  view: View,
  { language, month }: { language: PageLanguage; month: string },
): string {
  const t = pageTexts[language]
  const words = wordsOf(view, language)
  const months = monthsOf(view)
  const found = (view.content?.incidents ?? []).filter(
    ({ started_at, state }) =>
      state !== 'scheduled' && dayIn(started_at, words.zone).startsWith(month),
  )
  const main = html`<h1>${t.history_title}</h1>
    ${renderStaleness(view, words)}
    <nav class="months" aria-label="${t.months}">
      ${months.map((one) => {
        const here = one === month && html` aria-current="page"`
        return html`<a href="${historyPath(one)}&lang=${language}" ${here}
          >${writeMonth(one, words.locale)}</a
        >`
      })}
    </nav>
    <section>
      <h2>${writeMonth(month, words.locale)}</h2>
      ${found.length === 0 && view.content !== null && html`<p class="none">${t.no_incidents}</p>`}
      ${found.map((incident) => renderIncident(incident, words, { level: 3 }))}
    </section>
    <p><a href="${STATUS_PATH}?lang=${language}">${t.back}</a></p>`
  const title = `${t.history_title}: ${writeMonth(month, words.locale)}`
  return renderFrame({ language, title, path: `${STATUS_PATH}/history`, main })
}

function historyPath(month: string): string {
  return `${STATUS_PATH}/history?month=${month}`
}

/** The month of a day and the eleven before it, newest first. */
function lastMonths(day: string): string[] {
  const month = Temporal.PlainDate.from(day).toPlainYearMonth()
  return Array.from({ length: MONTHS_SHOWN }, (_, index) =>
    month.subtract({ months: index }).toString(),
  )
}

export function findIncident(view: View, id: string): Incident | undefined {
  return view.content?.incidents.find((one) => one.id === id)
}

/** `id` is that of an incident of the view. */
export function renderOne(
  view: View,
  { language, id }: { language: PageLanguage; id: string },
): string {
  const incident = findIncident(view, id)
  assert(incident)
  const t = pageTexts[language]
  const words = wordsOf(view, language)
  const main = html`${renderStaleness(view, words)} ${renderIncident(incident, words, { level: 1 })}
    <p><a href="${STATUS_PATH}?lang=${language}">${t.back}</a></p>`
  return renderFrame({
    language,
    title: incident.title,
    path: `${STATUS_PATH}/incidents/${id}`,
    main,
  })
}
