/** The description, the effect, the outcome and the time left of an approval, as on its page. */
import * as approvals from '../../../../areas/approvals/service.ts'
import { html, type Html } from '../../../html/html.ts'
import type { PageLanguage } from '../../../html/language.ts'
import { renderPill, type PillTone } from '../../pieces.ts'
import { translateMessage } from '../problem-texts.ts'
import type { ApprovalTexts } from './texts.ts'

type Listed = approvals.ApprovalOfTeam

const effectTones: Readonly<Record<Listed['effect'], PillTone>> = {
  deletes: 'bad',
  outside: 'warning',
  money: 'warning',
  writes: 'warning',
}

export function renderEffect(effect: Listed['effect'], t: ApprovalTexts): Html {
  return renderPill(effectTones[effect], t.effects[effect])
}

const outcomeTones: Readonly<Record<Listed['status'], PillTone>> = {
  pending: 'warning',
  approved: 'warning',
  executed: 'good',
  failed: 'bad',
  rejected: 'quiet',
}

export function renderOutcome(
  { status, decided_by }: Pick<Listed, 'status' | 'decided_by'>,
  t: ApprovalTexts,
): Html {
  return decided_by === 'expiry'
    ? renderPill('quiet', t.outcomes.expired)
    : renderPill(outcomeTones[status], t.outcomes[status])
}

/** Formats a remaining time, in hours from two hours on, otherwise in minutes: `in 71 hours`. */
export function formatTimeLeft(left_ms: number, t: ApprovalTexts): string {
  const minutes = Math.max(1, Math.ceil(left_ms / 60_000))
  const hours = Math.floor(minutes / 60)
  return hours >= 2 ? t.in_hours(hours) : t.in_minutes(minutes)
}

/** Renders the cost; null if it is free. An unknown form of a cost stays English. */
export function renderCost(cost: string | null, language: PageLanguage): Html | null {
  if (cost === null) return null
  return renderTranslation(cost, language === 'nl' ? approvals.costInDutch(cost) : cost, language)
}

/** Renders a message of a Problem: in Dutch if it has a Dutch text, else marked as English. */
export function renderMessage(message: string, language: PageLanguage): Html {
  const text = language === 'nl' ? translateMessage(message) : message
  return renderTranslation(message, text, language)
}

function renderTranslation(english: string, text: string, language: PageLanguage): Html {
  return text === english ? renderEnglish(english, language) : html`${text}`
}

/** Renders a text that exists in English only. */
export function renderEnglish(text: string, language: PageLanguage): Html {
  return language === 'en' ? html`${text}` : html`<span lang="en">${text}</span>`
}
