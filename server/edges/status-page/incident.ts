/** An incident or maintenance with its updates. */
import * as status from '../../areas/status/service.ts'
import { html, type Html } from '../html/html.ts'
import { STATUS_PATH } from './frame.ts'
import { renderTime, type Place } from './format.ts'
import { pageTexts } from './texts.ts'

export type Incident = status.PageContent['incidents'][number]
export type Update = Incident['updates'][number]

export interface Words extends Place {
  language: status.PageLanguage
}

export interface IncidentLook {
  /** Level of the heading: 1 on the page of the incident. */
  level: 1 | 3
}

export function renderIncident(incident: Incident, words: Words, { level }: IncidentLook): Html {
  const { id, kind, impact, title } = incident
  const t = pageTexts[words.language]
  const badge = kind === 'maintenance' ? t.kind_maintenance : t[`impact_${impact}`]
  const heading =
    level === 1
      ? html`<h1>${title}</h1>`
      : html`<h3><a href="${STATUS_PATH}/incidents/${id}?lang=${words.language}">${title}</a></h3>`
  return html`<article class="incident ${kind === 'maintenance' ? 'work' : impact}">
    <header>${heading} <span class="badge">${badge}</span></header>
    ${renderFacts(incident, words)}
    <ol class="updates">
      ${incident.updates.map((update) => renderUpdate(update, words))}
    </ol>
  </article>`
}

function renderFacts(incident: Incident, words: Words): Html {
  const t = pageTexts[words.language]
  const { started_at, planned_until, ended_at, components } = incident
  const names = components.map((id) => status.componentNamesIn[words.language][id]).join(', ')
  const time = (iso: string) => renderTime(iso, words)
  const when =
    planned_until === null
      ? html`${t.began}
        ${time(started_at)}${ended_at !== null && html` · ${t.ended} ${time(ended_at)}`}`
      : html`${t.window} ${time(started_at)} ${t.until} ${time(planned_until)}`
  return html`<p class="facts">${when}${names !== '' && html` · ${t.affects}: ${names}`}</p>`
}

function renderUpdate({ state, message, posted_at }: Update, words: Words): Html {
  return html`<li>
    <p>
      <strong>${status.stateNames[words.language][state]}</strong>
      <span>${renderTime(posted_at, words)}</span>
    </p>
    <p class="said">${messageOf({ state, message }, words.language)}</p>
  </li>`
}

/** The text of an update; that of an automatic one is in the language of the page. */
export function messageOf(
  { state, message }: Pick<Update, 'state' | 'message'>,
  language: status.PageLanguage,
): string {
  const automatic = status.automaticMessages[language]
  return message ?? automatic[state === 'completed' ? 'completed' : 'in_progress']
}
