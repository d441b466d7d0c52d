/** Ready-made agents that report to the owner by mail. */
import type { AgentStep } from '../schema.ts'
import { inLanguage, type AgentTemplate } from './template.ts'

export const formSummary: AgentTemplate = {
  settings: ['collection'],
  build(options) {
    const say = inLanguage(options)
    const subject = say('New in your form', 'Nieuw in uw formulier')
    return {
      name: say('Daily summary of a form', 'Dagelijkse samenvatting van een formulier'),
      instructions: say(
        'Mail me every morning at 8 what was sent with the form since yesterday.',
        'Mail mij elke ochtend om 8 uur wat er sinds gisteren met het formulier is gestuurd.',
      ),
      trigger: { type: 'schedule', cron: '0 8 * * *', timezone: options.timezone },
      steps: [
        {
          name: 'new',
          action: 'documents.list',
          input: {
            name: options.values.collection,
            filter: 'created_at > @now - 1d',
            sort: 'created_at',
            limit: 50,
          },
        },
        {
          when: 'steps.new.reply.data."0" exists',
          action: 'notify.owner',
          input: {
            subject,
            text: say(
              'Since yesterday (at most 50 are shown):\n\n{{steps.new.reply.data.*.data}}',
              'Sinds gisteren (er worden er hooguit 50 getoond):\n\n{{steps.new.reply.data.*.data}}',
            ),
          },
        },
        {
          when: 'steps.new.reply.too_large = true',
          action: 'notify.owner',
          input: {
            subject,
            text: say(
              'So much was sent since yesterday that it does not fit in a mail. See the page Data.',
              'Er is sinds gisteren zo veel gestuurd dat het niet in een mail past. Zie de pagina Gegevens.',
            ),
          },
        },
      ],
    }
  },
}

export const openQuestions: AgentTemplate = {
  settings: [],
  build(options) {
    const say = inLanguage(options)
    const questions = '{{steps.open.reply.data.*.question}}'
    return {
      name: say('Questions without an answer', 'Vragen zonder antwoord'),
      instructions: say(
        'Every Monday, mail me the questions that the assistant could not answer, and propose the first three as facts.',
        'Mail mij elke maandag de vragen waarop de assistent geen antwoord had, en stel de eerste drie voor als feit.',
      ),
      trigger: { type: 'schedule', cron: '0 9 * * 1', timezone: options.timezone },
      steps: [
        { name: 'open', action: 'unanswered_questions.list', input: { limit: 20 } },
        {
          when: 'steps.open.reply.data."0" exists',
          action: 'notify.owner',
          input: {
            subject: say('Questions without an answer', 'Vragen zonder antwoord'),
            text: say(
              `Visitors asked this, and the assistant did not know the answer. The first three wait on the page Approvals: change the answer, then approve:\n\n${questions}`,
              `Bezoekers vroegen dit, en de assistent wist het antwoord niet. De eerste drie wachten op de pagina Goedkeuringen: wijzig het antwoord en keur het goed:\n\n${questions}`,
            ),
          },
        },
        ...[0, 1, 2].map((at) => proposeFact(at, say)),
      ],
    }
  },
}

/** Waits for the owner, who writes the answer. It is harmless if they approve it as it is. */
function proposeFact(at: number, say: (en: string, nl: string) => string): AgentStep {
  const question = `steps.open.reply.data.${at}`
  return {
    when: `steps.open.reply.data."${at}" exists`,
    action: 'assistant_facts.create',
    input: {
      question: `{{${question}.question}}`,
      answer: say(
        'Please ask us directly, we are glad to help.',
        'Vraag het ons gerust rechtstreeks, wij helpen u graag.',
      ),
      unanswered_question_id: `{{${question}.id}}`,
    },
    approval: 'owner',
    on_rejection: 'continue',
  }
}

export const weeklyReport: AgentTemplate = {
  settings: ['site'],
  build(options) {
    const say = inLanguage(options)
    const visits = 'steps.visits.reply'
    return {
      name: say('Weekly report of a site', 'Weekrapport van een site'),
      instructions: say(
        'Every Monday, mail me the page views of the past week with a chart.',
        'Mail mij elke maandag de paginaweergaven van de afgelopen week met een grafiek.',
      ),
      trigger: { type: 'schedule', cron: '0 8 * * 1', timezone: options.timezone },
      steps: [
        {
          name: 'visits',
          action: 'sites.visits',
          input: { id: options.values.site, from: '{{week_ago}}', to: '{{yesterday}}' },
        },
        {
          action: 'notify.owner',
          input: {
            subject: say('Your site last week', 'Uw site vorige week'),
            text: say(
              `Page views in the past week: {{${visits}.views}}.\n\nBy page:\n{{${visits}.pages}}`,
              `Paginaweergaven in de afgelopen week: {{${visits}.views}}.\n\nPer pagina:\n{{${visits}.pages}}`,
            ),
            chart: { labels: `{{${visits}.days.*.day}}`, values: `{{${visits}.days.*.views}}` },
          },
        },
      ],
    }
  },
}
