/** The texts of mails about a failing endpoint, in English and Dutch. */
import { limits } from '../../../contract/limits.ts'
import type { MailLanguage } from '../../../providers/mail/mail-contract.ts'
import { errorMeanings, type DeliveryError } from '../schema.ts'

interface Endpoint {
  endpoint_id: string
  /** Base URL of the API. */
  api_url: string
}

const seconds = limits.webhook_response_timeout_s
const most = limits.webhook_failures_in_a_row_max
const english_errors: Readonly<Record<DeliveryError, string>> = errorMeanings

const en = {
  hello: 'Hello,',
  unknown_host: 'unknown host',
  off_subject: (host: string) => `Webhook endpoint switched off: ${host}`,
  failing_subject: (host: string, failures: number) =>
    `Webhook endpoint failing: ${host} (${failures} times in a row)`,
  failed: (failures: number, project: string) =>
    `the last ${failures} attempts to deliver an event to a webhook endpoint of your ` +
    `project "${project}" failed.`,
  is_off: 'The endpoint is now switched off.',
  endpoint: 'Endpoint',
  id: 'Its id',
  last_error: 'Last error',
  at: 'At',
  errors: english_errors,
  before_disabling: ({ endpoint_id, api_url }: Endpoint) => [
    `What happens next: after ${most} failures in a row the endpoint is switched off and the ` +
      'events that wait for it are dropped. One attempt that succeeds starts the count again.',
    `What you can do: let the address answer with a 2xx status within ${seconds} seconds. ` +
      `Try it with\nPOST ${api_url}/webhooks/${endpoint_id}/test\n` +
      `or change the address with\nPATCH ${api_url}/webhooks/${endpoint_id}`,
  ],
  after_disabling: ({ endpoint_id, api_url }: Endpoint) => [
    'What happens next: nothing is sent to it any more. The events that waited for it were ' +
      'dropped, and events from the time it is off are not sent later.',
    'What you can do: fix the receiver, then switch the endpoint on again with\n' +
      `POST ${api_url}/webhooks/${endpoint_id}/enable`,
  ],
}

const nl: typeof en = {
  hello: 'Hallo,',
  unknown_host: 'onbekende host',
  off_subject: (host) => `Webhook-ontvanger uitgezet: ${host}`,
  failing_subject: (host, failures) =>
    `Webhook-ontvanger werkt niet: ${host} (${failures} keer achter elkaar)`,
  failed: (failures, project) =>
    `de laatste ${failures} pogingen om een gebeurtenis te sturen naar een webhook-ontvanger ` +
    `van uw project "${project}" zijn mislukt.`,
  is_off: 'De ontvanger is nu uitgezet.',
  endpoint: 'Ontvanger',
  id: 'Id',
  last_error: 'Laatste fout',
  at: 'Tijdstip',
  errors: {
    timeout: `geen antwoord binnen ${seconds} seconden`,
    connection_failed: 'DNS, TLS of geweigerde verbinding',
    non_2xx_status: 'antwoord zonder 2xx-status; ook een doorverwijzing telt als fout',
    not_public_host: 'de URL leidt nu naar een adres dat niet openbaar is',
    invalid_url: 'geen geldige https-URL',
    response_too_large: 'te groot antwoord',
    endpoint_disabled: 'ontvanger uitgezet voor de levering',
    call_deleted: 'gesprek verwijderd voor de levering; telt niet als fout',
    summary_deleted: 'samenvatting verwijderd voor de levering; telt niet als fout',
    document_deleted: 'document verwijderd voor de levering; telt niet als fout',
    message_deleted: 'bericht verwijderd voor de levering; telt niet als fout',
    email_deleted: 'e-mail verwijderd voor de levering; telt niet als fout',
    order_deleted: 'bestelling verwijderd voor de levering; telt niet als fout',
    secret_unreadable: 'een probleem aan de kant van de dienst',
    delivery_failed: 'een andere fout',
  },
  before_disabling: ({ endpoint_id, api_url }) => [
    `Wat er verder gebeurt: na ${most} mislukte pogingen achter elkaar wordt de ontvanger ` +
      'uitgezet en vervallen de wachtende gebeurtenissen. Na één gelukte poging begint de ' +
      'telling opnieuw.',
    `Wat u kunt doen: laat het adres binnen ${seconds} seconden antwoorden met een 2xx-status. ` +
      `Probeer het met\nPOST ${api_url}/webhooks/${endpoint_id}/test\n` +
      `of wijzig het adres met\nPATCH ${api_url}/webhooks/${endpoint_id}`,
  ],
  after_disabling: ({ endpoint_id, api_url }) => [
    'Wat er verder gebeurt: er wordt niets meer naartoe gestuurd. De wachtende gebeurtenissen ' +
      'zijn vervallen, en gebeurtenissen uit de tijd dat de ontvanger uit staat worden niet ' +
      'later gestuurd.',
    'Wat u kunt doen: herstel de ontvanger en zet die weer aan met\n' +
      `POST ${api_url}/webhooks/${endpoint_id}/enable`,
  ],
}

export const noticeTexts: Readonly<Record<MailLanguage, typeof en>> = { en, nl }
