/**
 * Errors of the specification for areas that this server does not have. An area that is added takes
 * over its entries.
 */
import type { ErrorEntry } from '../error-entry.ts'
import { limits } from '../../limits.ts'
import { planNames, plans } from '../../plans.ts'
import { formatSize } from '../../../kernel/values/size.ts'

const plansWithDedicatedIp = planNames
  .filter((plan) => plans[plan].dedicated_sending_ip)
  .map((plan) => plans[plan].title)
  .join(' and ')

export const laterErrors = {
  destination_not_allowed: {
    status: 422,
    about: 'No SMS is sent to this number, for example because it is not a mobile number.',
    user: 'Text messages cannot be sent to that phone number.',
    next:
      'Do not retry with this number. Ask the user for a mobile number and write it in E.164 ' +
      'form (beginning with +).',
  },
  message_too_long: {
    status: 422,
    about: `The text takes more than ${limits.sms_segments_max} SMS segments.`,
    user: 'The text message is too long, so please make it shorter.',
    next:
      `Shorten the text: ${limits.sms_segments_max} segments hold ` +
      `${limits.sms_segments_max * 153} characters, or ${limits.sms_segments_max * 67} as soon ` +
      'as one of them is an emoji or a letter outside the SMS alphabet.',
  },
  sender_not_allowed: {
    status: 422,
    about: 'The from of the message is not a sender that this project can use.',
    user: 'The text message cannot be sent under that name or number.',
    next: 'Send it again with from set to an active number of the project from GET /numbers.',
  },
  message_limit_reached: {
    status: 429,
    about:
      `The project has sent its daily maximum of ${limits.sms_per_day_max} messages, which ` +
      'holds during the beta.',
    user: 'This project has sent as many text messages as it may send in one day.',
    next: 'Do not retry today. Send the rest tomorrow, the most important ones first.',
  },
  number_required: {
    status: 422,
    about: 'The assistant calls from a number of the project, and the project has no active one.',
    user: 'The assistant needs a phone number before it can call anyone.',
    next:
      'Order a number with POST /numbers, wait until GET /numbers shows it as active, then ' +
      'start the call again.',
  },
  outside_calling_hours: {
    status: 422,
    about:
      'It is outside the hours in which this person may be called, in their own time zone. ' +
      'Nobody was called.',
    user: 'It is too early or too late to call this person, so nobody was called.',
    next:
      'Start the call again during the calling hours where the person is, which detail ' +
      'names, or ask the user whether a text message or an email will do.',
  },
  consent_required: {
    status: 403,
    about:
      "A call with purpose 'marketing' needs the recorded consent of this person, and there is " +
      'none. Nobody was called.',
    user: 'This person has not agreed to such a call, so nobody was called.',
    next:
      'Do not call this person. Only if they did agree, have the owner record the consent ' +
      'first; never state another purpose to get around this.',
  },
  concurrent_call_limit: {
    status: 429,
    about: 'Too many outbound calls of this project are running at the same time.',
    user: 'Too many calls are going on at the same time, so please wait until one has ended.',
    next:
      'Wait for the call.completed event, or until GET /calls shows that a call has ended, ' +
      'then start the call again. The verification level full in GET /project allows more ' +
      'calls at once.',
  },
  call_limit_reached: {
    status: 429,
    about:
      `The project has started its daily maximum of ${limits.outbound_calls_per_day_max} ` +
      'outbound calls.',
    user: 'This project has made as many calls as it may make in one day.',
    next: 'Do not retry today. Make the remaining calls tomorrow, the most important ones first.',
  },
  conversation_closed: {
    status: 409,
    about: 'The conversation is closed and takes no more messages.',
    user: 'This chat has ended, so please start a new one.',
    next: 'Start a new conversation and send the message there.',
  },
  conversation_busy: {
    status: 409,
    about:
      'The assistant is still answering an earlier message of this conversation, or the ' +
      'conversation was closed at that very moment.',
    user: 'The assistant is still answering, so please wait a moment.',
    next:
      'Wait for the answer, then send the message again, once. If the conversation turns ' +
      'out to be closed, start a new one.',
  },
  conversation_turn_limit_reached: {
    status: 409,
    about: `The conversation has reached max_turns, which is ${limits.conversation_turns_max}.`,
    user: 'This chat has become very long, so please start a new one.',
    next: 'Start a new conversation and begin it with a short summary of what matters.',
  },
  conversation_limit_reached: {
    status: 429,
    about:
      'The project has started its daily maximum of conversations: ' +
      `${limits.live_conversations_per_day_max} in live mode during the beta, ` +
      `${limits.test_conversations_per_day_max} in test mode.`,
    user: 'No more new chats can be started today.',
    next: 'Continue in a conversation that is still open, or start new ones tomorrow.',
  },
  test_free_calls_used: {
    status: 402,
    http: false,
    about:
      'Never a reply to a request: a run of an agent in a test project is logged as skipped ' +
      'with this reason when the free daily budget for its model calls is used up.',
    user: 'The agent skipped this run because its free budget for testing is used up for today.',
    next:
      'Look for the skipped runs in the history of the agent. They resume tomorrow, or once ' +
      'the owner has topped up the balance of the live project in the portal under Billing.',
  },
  invalid_conversation_token: {
    status: 401,
    about:
      'The X-Conversation-Token header is missing, wrong, or older than ' +
      `${limits.conversation_token_lifetime_s / 3600} hours.`,
    user: 'This chat is no longer open, so please start a new one.',
    next: {
      rest:
        'Start a new conversation in the widget and send the token it returns in the ' +
        'X-Conversation-Token header with every message.',
      mcp:
        'Only the widget on a page can go on with this conversation. Let the visitor start a ' +
        'new one there.',
    },
  },
  public_chat_limit_reached: {
    status: 429,
    about:
      'The widget has reached a daily limit of its public token. One is new conversations ' +
      `(${limits.chat_token_conversations_per_day_default} unless set, up to ` +
      `${limits.chat_token_conversations_per_day_max}), the other spending in euro ` +
      `(${limits.chat_token_spending_per_day_eur_default} unless set, up to ` +
      `${limits.chat_token_spending_per_day_eur_max}; 0 switches the live widget off).`,
    user: 'This chat cannot take new messages at the moment, so please try again later.',
    next:
      'Show the visitor another way to get in touch. The owner can have the daily limits of the ' +
      'token raised.',
  },
  chat_unavailable: {
    status: 503,
    about:
      'The widget cannot chat now. The visitor is not told why; the owner can see it in the ' +
      'portal.',
    user: 'The chat is not available right now, so please try again later.',
    next:
      'Show the visitor another way to get in touch and try again later. The owner can ' +
      'check in GET /status whether the service has a known problem.',
  },
  app_too_large: {
    status: 413,
    about: 'The modules of the app are together larger than the plan allows.',
    user: 'The app is too large for the current plan.',
    next:
      'Leave out packages that are not needed and move pictures and other files to the ' +
      'media library, then deploy again. The owner can also get a larger plan from the ' +
      'operator of this server.',
  },
  app_blocked: {
    status: 422,
    about: 'The check before publication stopped the deploy of the app.',
    user: 'The app did not pass the safety check, so it was not published.',
    next:
      'Remove from the code what detail names and deploy again. If it was a mistake, the owner ' +
      'can ask support to look at it.',
  },
  migration_failed: {
    status: 422,
    about:
      "The migration reached the app's database and was refused there. The detail carries the " +
      'reason.',
    user: 'The database of the app did not accept this change.',
    next: 'Correct the statement that detail names and send the migration again.',
  },
  query_failed: {
    status: 422,
    about:
      "The read-only query reached the app's database and was refused there. The detail " +
      'carries the reason.',
    user: 'The database of the app could not answer this question.',
    next:
      'Correct the query as detail says and send it again. It may only read; changes belong ' +
      'in a migration.',
  },
  mail_not_enabled: {
    status: 403,
    about: 'Email is an extra module, and it is not turned on for this project.',
    user: 'Email is not turned on for this project yet.',
    next:
      'Ask the owner to have email turned on by the operator of this server. A key cannot ' +
      'do that.',
  },
  email_paused: {
    status: 403,
    about:
      `Sending is paused because more than ${limits.email_bounces_percent_max}% of the last ` +
      `${limits.email_bounces_window_emails} emails bounced or more than ` +
      `${limits.email_complaints_percent_max}% were marked as spam.`,
    user: 'Sending email is paused because too many emails bounced or were marked as spam.',
    next: 'Do not retry. Tell the owner, and help to remove the addresses that bounced.',
  },
  recipient_not_allowed: {
    status: 403,
    about:
      'The project does not know this address from a form submission, a document, a chat ' +
      'conversation or the sign-in of an app, and the owner has not confirmed it.',
    user: 'Emails can only go to people this project already knows, and this address is new to it.',
    next:
      'Ask the owner to confirm the address, or let the person get in touch first, for ' +
      'example through a form on the site. Do not retry before that.',
  },
  email_limit_reached: {
    status: 429,
    about:
      'The project has reached its daily limit of emails (limit in this error), or of new ' +
      'recipients that appear only in documents written by an app (reason ' +
      "'new_recipients_limit', with used_today).",
    user: 'This project has sent as many emails as it may send today.',
    next:
      'Read limit, reason and used_today in this error and send the rest tomorrow. With the ' +
      'reason new_recipients_limit, emails to people the project knows in another way can ' +
      'still go out today.',
  },
  email_blocked: {
    status: 422,
    about:
      'A check of the content stopped the email: it looks like phishing, or has a form, a ' +
      'script, a link with a hidden target, a link shortener or a link known to be bad.',
    user: 'This email did not pass the safety check, so it was not sent.',
    next:
      'Remove what detail names. Write links out in full so that they show where they lead, ' +
      'and send the email again.',
  },
  email_domain_not_verified: {
    status: 409,
    about: 'The from address is not on a verified sending domain of the project.',
    user: 'The domain of the sender address is not ready for sending email yet.',
    next:
      'Use a from address on a verified sending domain. Or have the DNS records of this ' +
      'domain set, wait until it is verified, and send again.',
  },
  attachment_too_large: {
    status: 413,
    about:
      `The email has more than ${limits.email_attachments_max} attachments or more than ` +
      `${formatSize(limits.email_attachments_bytes_max)} of them together (limit_bytes ` +
      'in this error).',
    user: 'The attachments are too many or too large for one email.',
    next:
      'Send fewer or smaller attachments, within limit_bytes, or put the files on a site and ' +
      'send the link.',
  },
  attachment_not_allowed: {
    status: 422,
    about: 'An attachment is of a kind that cannot be sent.',
    user: 'One of the attachments cannot be sent by email.',
    next:
      'Read in detail which attachment it is and leave it out, or send it as a PDF or a ' +
      'picture.',
  },
  email_address_invalid: {
    status: 422,
    about:
      'The address failed the check before sending: email would not arrive there. Nothing was ' +
      'sent.',
    user: 'Email cannot be delivered to this address, so nothing was sent.',
    next: 'Ask the user to check the address for typing mistakes. Do not retry with the same one.',
  },
  bimi_not_ready: {
    status: 409,
    about:
      'A logo in the inbox needs a DMARC policy of p=quarantine or p=reject for all mail of ' +
      'the domain, with no pct below 100.',
    user: 'The logo cannot be shown in inboxes until the domain is better protected.',
    next:
      'First make sure that all mail of the domain passes DMARC. Then change its DMARC record ' +
      'to p=quarantine or p=reject without pct, wait until the change is visible, and try ' +
      'again.',
  },
  dedicated_ip_not_available: {
    status: 403,
    about: `A dedicated sending IP is only part of the plans ${plansWithDedicatedIp}.`,
    user: 'The current plan does not include a separate line for sending email.',
    next:
      'Continue with the shared sending addresses, which work without any setup, or ask the ' +
      `owner to get ${plansWithDedicatedIp.replace(' and ', ' or ')} from the operator of this ` +
      'server.',
  },
} as const satisfies Record<string, ErrorEntry>
