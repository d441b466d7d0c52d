/** A component: its state, a bar for each of 90 days, and the same days as a table. */
import * as status from '../../areas/status/service.ts'
import { html, type Html } from '../html/html.ts'
import { writeDay, writeNumber, writeShare, writeShortDay } from './format.ts'
import type { Words } from './incident.ts'
import { pageTexts } from './texts.ts'

type Day = status.Day
type Health = 'operational' | 'degraded' | 'down' | 'not_in_use'

export interface ShownComponent {
  id: keyof (typeof status.componentNamesIn)['en']
  health: Health
  /** Null if they are unknown. */
  days: readonly Day[] | null
}

export function renderComponent({ id, health, days }: ShownComponent, words: Words): Html {
  const t = pageTexts[words.language]
  const name = status.componentNamesIn[words.language][id]
  return html`<li class="component" id="${id}">
    <div class="line">
      <h3>${name}</h3>
      <span class="state ${health}">${t[`component_${health}`]}</span>
    </div>
    ${days !== null && health !== 'not_in_use' && renderDays(days, { name, words })}
  </li>`
}

interface Named {
  name: string
  words: Words
}

/** Pointers get the text of a day as a tooltip; keyboards and screen readers have the table. */
function renderDays(days: readonly Day[], { name, words }: Named): Html {
  const t = pageTexts[words.language]
  const uptime = status.uptimeOf(days)
  const bars = days.map(
    (day) => html`<li class="${levelOf(day)}" title="${writeDayText(day, words)}"></li>`,
  )
  return html`<ol class="bars" aria-hidden="true">
      ${bars}
    </ol>
    <p class="scale">
      <span class="long">${t.days_ago_90}</span><span class="short">${t.days_ago_30}</span>
      <span
        >${uptime === null ? t.no_checks : `${writeShare(uptime, words.locale)} ${t.uptime}`}</span
      >
      <span>${t.today}</span>
    </p>
    <details>
      <summary>${t.day_by_day}<span class="hidden">: ${name}</span></summary>
      <div class="days" tabindex="0" role="region" aria-label="${t.day_by_day}: ${name}">
        <table>
          <thead>
            <tr>
              <th scope="col">${t.day}</th>
              <th scope="col">${t.checks}</th>
              <th scope="col">${t.incidents}</th>
            </tr>
          </thead>
          <tbody>
            ${days.toReversed().map((day) => renderRow(day, words))}
          </tbody>
        </table>
      </div>
    </details>`
}

function renderRow(day: Day, words: Words): Html {
  const t = pageTexts[words.language]
  return html`<tr class="${levelOf(day)}">
    <th scope="row">${writeShortDay(day.day, words.locale)}</th>
    <td>${writeChecks(day, words)}</td>
    <td>${day.titles.join(', ') || t.none}</td>
  </tr>`
}

function writeChecks({ probes, failed }: Day, { language, locale }: Words): string {
  const t = pageTexts[language]
  if (probes === 0) return t.no_data
  return `${writeNumber(failed, locale)} ${t.of} ${writeNumber(probes, locale)}`
}

function writeDayText(day: Day, words: Words): string {
  const t = pageTexts[words.language]
  const checks =
    day.probes > 0 && day.failed === 0
      ? t.no_problems
      : [writeChecks(day, words), day.probes > 0 && t.failed_checks].filter(Boolean).join(' ')
  return [`${writeDay(day.day, words.locale)}: ${checks}`, ...day.titles].join('. ')
}

const MINOR_SHARE = 0.02
const MAJOR_SHARE = 0.25

/** The class of a bar, from failed probes and from incidents. */
function levelOf({ probes, failed, impact }: Day): string {
  const share = probes === 0 ? 0 : failed / probes
  if (impact === 'critical' || share >= MAJOR_SHARE) return 'bad'
  if (impact === 'major' || share >= MINOR_SHARE) return 'worse'
  if (impact === 'minor' || failed > 0) return 'fair'
  return probes === 0 ? 'empty' : 'good'
}
