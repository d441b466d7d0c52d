/** The operations of email for people only: the switch of the module, confirmed recipients and the outbox. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import { PageQuery } from '../../contract/schema/pages.ts'
import { Uuid, withDescription } from '../../contract/schema/shapes.ts'
import { KnownRecipient, RecipientId } from './addresses/address-schema.ts'
import { confirmRecipient, removeRecipient } from './addresses/addresses.ts'
import { findMessage, listOutbox } from './delivery/outbox.ts'
import { OutboxDetail, OutboxPage } from './delivery/outbox-schema.ts'
import { EmailStatus, ModuleSwitch } from './settings/settings-schema.ts'
import { resumeSending, switchModule } from './settings/settings.ts'

const root = '/projects/{project_id}/email'

export const switchEmail = peopleOperation({
  name: 'email.switch',
  route: `PUT ${root}/module`,
  about: 'Turns email on or off. While it is off nothing is sent, and scheduled emails wait.',
  keywords: 'enable mail, disable, module',
  access: 'owner',
  fresh: true,
  effect: 'write',
  body: ModuleSwitch,
  status: 200,
  reply: EmailStatus,
  errors: [],
  run: ({ body }, caller) => switchModule(caller, body.enabled),
})

export const resume = peopleOperation({
  name: 'email.resume',
  route: `POST ${root}/resume`,
  about: 'Resumes sending after a pause. Bounces and complaints are counted from now on.',
  keywords: 'unpause sending, blocked because of bounces',
  access: 'owner',
  fresh: true,
  effect: 'write',
  status: 200,
  reply: EmailStatus,
  errors: ['conflict'],
  run: (_input, caller) => resumeSending(caller),
})

export const confirm = peopleOperation({
  name: 'email_recipients.confirm',
  route: `POST ${root}/recipients/{recipient_id}/confirm`,
  about: 'Confirms that the business knows a recipient, who can then get email.',
  keywords: 'approve contact, allow mailing',
  access: 'owner',
  effect: 'write',
  params: RecipientId,
  status: 200,
  reply: KnownRecipient,
  errors: ['not_found'],
  run: ({ params }, caller) => confirmRecipient(caller, params.recipient_id),
})

export const removeKnown = peopleOperation({
  name: 'email_recipients.delete',
  route: `DELETE ${root}/recipients/{recipient_id}`,
  about: 'Deletes a recipient from the list of the owner.',
  keywords: 'remove contact from mail list',
  access: 'owner',
  effect: 'write',
  params: RecipientId,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => removeRecipient(caller, params.recipient_id),
})

export const outbox = peopleOperation({
  name: 'email.outbox',
  route: `GET ${root}/outbox`,
  about: 'Messages that were written to the outbox instead of sent, newest first.',
  keywords: 'test mail, unsent, development, preview, development mail',
  access: 'viewer',
  effect: 'read',
  query: PageQuery,
  status: 200,
  reply: OutboxPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => listOutbox(caller, query),
})

export const outboxMessage = peopleOperation({
  name: 'email.outbox_message',
  route: `GET ${root}/outbox/{message_id}`,
  about: 'One message of the outbox with its source.',
  keywords: 'test mail source, raw, preview',
  access: 'viewer',
  effect: 'read',
  params: Type.Object({ message_id: withDescription(Uuid, 'Id of the message.') }),
  status: 200,
  reply: OutboxDetail,
  errors: ['not_found'],
  run: ({ params }, caller) => findMessage(caller, params.message_id),
})
