/** Ready-made agents that write to customers and suppliers. A person approves each message. */
import { inLanguage, type AgentTemplate } from './template.ts'

const customer = 'event.data.order.customer'

export const orderConfirmation: AgentTemplate = {
  settings: ['from'],
  build(options) {
    const say = inLanguage(options)
    const text = say(
      'We received your payment of {{event.data.order.amount_eur}} euro for order {{event.data.order.number}}. Thank you! {{project.name}}',
      'Wij ontvingen uw betaling van {{event.data.order.amount_eur}} euro voor bestelling {{event.data.order.number}}. Bedankt! {{project.name}}',
    )
    const subject = say(
      'Thank you for order {{event.data.order.number}}',
      'Bedankt voor bestelling {{event.data.order.number}}',
    )
    const to = [`{{${customer}.email}}`]
    return {
      name: say('Confirm paid orders', 'Betaalde bestellingen bevestigen'),
      instructions: say(
        'Confirm each paid order to the customer, by email and by text message.',
        'Bevestig elke betaalde bestelling aan de klant, per e-mail en per sms.',
      ),
      trigger: { type: 'event', event: 'order.paid' },
      steps: [
        {
          when: `${customer}.email exists`,
          action: 'emails.create',
          input: { from: options.values.from, to, subject, text },
          on_rejection: 'continue',
        },
        {
          when: `${customer}.phone exists`,
          action: 'messages.send',
          input: { to: `{{${customer}.phone}}`, text },
          on_rejection: 'continue',
        },
      ],
    }
  },
}

export const missedCall: AgentTemplate = {
  settings: [],
  build(options) {
    const say = inLanguage(options)
    return {
      name: say('Text back missed callers', 'Gemiste bellers een sms sturen'),
      instructions: say(
        'Send a text message to each caller whose call was not answered.',
        'Stuur een sms aan elke beller van wie het gesprek niet werd aangenomen.',
      ),
      trigger: {
        type: 'event',
        event: 'call.completed',
        filter: 'call.status = "missed" and call.direction = "inbound"',
      },
      steps: [
        {
          action: 'messages.send',
          input: {
            to: '{{event.data.call.from}}',
            text: say(
              'Sorry that we missed your call. How can we help? {{project.name}}',
              'Sorry dat wij uw telefoontje misten. Waarmee kunnen wij helpen? {{project.name}}',
            ),
          },
        },
      ],
    }
  },
}

export const lowStock: AgentTemplate = {
  settings: [
    'collection',
    'amount_field',
    'minimum',
    'name_field',
    'order_amount',
    'supplier',
    'from',
  ],
  build(options) {
    const say = inLanguage(options)
    const { collection, amount_field, minimum, name_field, order_amount } = options.values
    const { supplier, from } = options.values
    const names = `{{steps.low.reply.data.*.data.${name_field}}}`
    return {
      name: say('Reorder low stock', 'Bijbestellen wat bijna op is'),
      instructions: say(
        'Every Monday, draft an order to the supplier of what is almost out of stock. You can change it before it is sent.',
        'Maak elke maandag een bestelling bij de leverancier van wat bijna op is. U kunt die wijzigen voordat zij wordt verstuurd.',
      ),
      trigger: { type: 'schedule', cron: '0 7 * * 1', timezone: options.timezone },
      steps: [
        {
          name: 'low',
          action: 'documents.list',
          input: { name: collection, filter: `${amount_field} < ${minimum}`, limit: 50 },
        },
        {
          when: 'steps.low.reply.data."0" exists',
          action: 'emails.create',
          input: {
            from,
            to: [supplier],
            subject: say('Order of {{project.name}}', 'Bestelling van {{project.name}}'),
            text: say(
              `Please send us ${order_amount} pieces of each:\n\n${names}`,
              `Graag ontvangen wij van elk ${order_amount} stuks:\n\n${names}`,
            ),
          },
        },
      ],
    }
  },
}
