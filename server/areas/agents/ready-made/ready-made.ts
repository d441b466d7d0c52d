/** Ready-made agents: their list, and their installation as agents that are switched off. */
import type { Caller } from '../../../contract/caller.ts'
import type { MailLanguage } from '../../../providers/mail/mail-contract.ts'
import type { Agent } from '../schema.ts'
import { create } from '../service.ts'
import { lowStock, missedCall, orderConfirmation } from './customers.ts'
import { formSummary, openQuestions, weeklyReport } from './reports.ts'
import type { InstallInput, TemplateList, TemplateQuery } from './schema.ts'
import { exampleValues, readSettings, settings } from './settings.ts'
import { templateNames, type AgentTemplate, type TemplateName } from './template.ts'

const templates: Readonly<Record<TemplateName, AgentTemplate>> = {
  order_confirmation: orderConfirmation,
  missed_call: missedCall,
  form_summary: formSummary,
  low_stock: lowStock,
  open_questions: openQuestions,
  weekly_report: weeklyReport,
}

export function listTemplates({ language = 'en' }: TemplateQuery): TemplateList {
  return { data: templateNames.map((name) => present(name, templates[name], language)) }
}

function present(
  template: TemplateName,
  { settings: names, build }: AgentTemplate,
  language: MailLanguage,
): TemplateList['data'][number] {
  const built = build({ language, timezone: 'UTC', values: exampleValues() })
  const { name, instructions, trigger, steps = [] } = built
  return {
    template,
    name,
    instructions,
    trigger,
    actions: [...new Set(steps.map(({ action }) => action))],
    settings: names.map((one) => {
      const { kind, name: titles, value } = settings[one]
      return { name: one, title: titles[language], kind, value }
    }),
  }
}

/** Creates the agent disabled, so that a person can try it first. */
export function installTemplate(
  caller: Caller,
  { template: name, language = 'en', timezone = 'UTC', settings: given = {} }: InstallInput,
): Promise<Agent> {
  const template = templates[name]
  const values = readSettings(template.settings, given)
  return create(caller, { ...template.build({ language, timezone, values }), status: 'disabled' })
}
