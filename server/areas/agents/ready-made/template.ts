/** The names of ready-made agents, and what each of them defines. */
import type { MailLanguage } from '../../../providers/mail/mail-contract.ts'
import type { AgentInput } from '../schema.ts'
import type { SettingName, SettingValues } from './settings.ts'

export const templateNames = [
  'order_confirmation',
  'missed_call',
  'form_summary',
  'low_stock',
  'open_questions',
  'weekly_report',
] as const
export type TemplateName = (typeof templateNames)[number]

export interface TemplateOptions {
  /** Language of the texts that the agent writes. */
  language: MailLanguage
  /** Time zone of schedules. */
  timezone: string
  values: SettingValues
}

export interface AgentTemplate {
  /** The settings that a person fills in. */
  settings: readonly SettingName[]
  build(options: TemplateOptions): AgentInput & { instructions: string }
}

/** Returns a function that selects the text in the chosen language. */
export function inLanguage({ language }: TemplateOptions): (en: string, nl: string) => string {
  return (en, nl) => (language === 'nl' ? nl : en)
}
