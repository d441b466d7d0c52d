/** The fields that the forms of incidents share. */
import type { Component, Impact, IncidentState } from './queries.ts'
import { useIncidentTexts } from './texts.ts'

const components = ['sites', 'api', 'portal', 'phone', 'ai', 'mail', 'payments'] as const
const impacts = ['none', 'minor', 'major', 'critical'] as const
const states = ['investigating', 'identified', 'monitoring', 'resolved'] as const

export interface FirstValues {
  title?: string
  message?: string
  components?: readonly Component[]
  impact?: Impact
  state?: IncidentState
  /** Times as the input of the browser writes them. */
  starts_at?: string
  ends_at?: string
}

export function useIncidentFields(first: FirstValues, next: readonly IncidentState[] = states) {
  const t = useIncidentTexts()
  const required = true as const
  const time = (name: 'starts_at' | 'ends_at') => {
    const initial = first[name] ?? ''
    return {
      path: name,
      label: t(name),
      hint: t('time_hint'),
      initial,
      time: true as const,
      required,
    }
  }
  return {
    title: {
      path: 'title',
      label: t('form_title'),
      hint: t('form_title_hint'),
      initial: first.title ?? '',
      required,
    },
    message: {
      path: 'message',
      label: t('message'),
      hint: t('message_hint'),
      initial: first.message ?? '',
      required,
    },
    components: {
      path: 'components',
      label: t('components'),
      initial: first.components?.join('\n') ?? '',
      choices: components.map((value) => ({ value, text: t(value) })),
      required,
    },
    impact: {
      path: 'impact',
      label: t('impact'),
      initial: first.impact ?? 'minor',
      choices: impacts.map((value) => ({ value, text: t(`impact_${value}`) })),
    },
    state: {
      path: 'state',
      label: t('state'),
      initial: first.state ?? 'investigating',
      choices: next.map((value) => ({ value, text: t(value) })),
    },
    starts_at: time('starts_at'),
    ends_at: time('ends_at'),
  }
}

/** Formats a time as an input of the browser writes it, in the time zone of the browser. */
export function inputTime(time: string | Date): string {
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
