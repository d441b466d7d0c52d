/**
 * Decides from the reply of a mail server whether a message is tried again or has bounced, and says why. The
 * text counts more than the code, because many servers give 5.0.0 for everything. Pure.
 */
export interface Refusal {
  /** Status of the SMTP reply. */
  code: number
  text: string
}

export interface Classified {
  retry: boolean
  bounce_type: 'permanent' | 'transient' | 'undetermined'
  reason_code: string
  /** A sentence for people. */
  reason: string
  enhanced_code: string | null
  /** Whether the address itself is the cause, so that it gets no more email. */
  suppress: boolean
}

interface Rule {
  enhanced?: RegExp
  text?: RegExp
  reason_code: string
  reason: string
  /** Tried again although the reply is permanent. */
  retry?: true
  bounce_type?: Classified['bounce_type']
  suppress?: true
}

/** The first rule that fits decides: those by text before those by code. */
const rules: readonly Rule[] = [
  {
    text: /greylist|gr[ea]y-?list|try again (?:later|in)|temporarily (?:deferred|rejected)|come back later/i,
    reason_code: 'greylisted',
    reason: 'The mail server asks to try again later.',
    retry: true,
  },
  {
    text: /mailbox (?:is )?full|over ?quota|quota exceeded|insufficient (?:system )?storage|exceeded storage/i,
    reason_code: 'mailbox_full',
    reason: 'The mailbox is full.',
    bounce_type: 'transient',
  },
  {
    text: /too (?:large|big)|exceeds? (?:the )?(?:maximum )?(?:message )?size|size limit/i,
    reason_code: 'message_too_large',
    reason: 'The message is too large for this mailbox.',
    bounce_type: 'transient',
  },
  {
    text: /(?:blocked|listed|blacklist|blocklist|rbl|spamhaus|barracuda|reputation|poor sender)/i,
    reason_code: 'sender_blocked',
    reason: 'The mail server blocks this sender at the moment.',
    bounce_type: 'transient',
  },
  {
    text: /\bspam\b|junk|unsolicited|content rejected|suspicious|phish/i,
    reason_code: 'content_rejected',
    reason: 'The mail server takes the content for spam.',
    bounce_type: 'transient',
  },
  {
    text: /virus|malware|infected/i,
    reason_code: 'attachment_rejected',
    reason: 'The mail server refuses an attachment.',
    bounce_type: 'transient',
  },
  {
    text: /dmarc|dkim|spf\b|unauthenticated|not authenticated|authentication (?:required|checks)/i,
    reason_code: 'authentication_failed',
    reason: 'The mail server could not confirm the sender domain.',
    bounce_type: 'transient',
  },
  {
    text: /rate limit|too many (?:messages|connections|recipients|emails)|throttl|slow down/i,
    reason_code: 'rate_limited',
    reason: 'The mail server takes no more messages at the moment.',
    retry: true,
  },
  {
    text: /(?:user|mailbox|recipient|account|address|inbox).{0,40}(?:unknown|not found|does(?:n't| not) exist|no longer|not exist|invalid|unavailable|disabled|deactivated|inactive)|(?:unknown|no such|invalid) (?:user|mailbox|recipient|address|account)/i,
    reason_code: 'mailbox_unknown',
    reason: 'The mailbox does not exist.',
    suppress: true,
  },
  {
    text: /relay(?:ing)? (?:access )?denied|not permitted to relay/i,
    reason_code: 'domain_not_served',
    reason: 'The mail server does not take mail for this domain.',
    suppress: true,
  },
  {
    enhanced: /^[45]\.1\.[1236]$/,
    reason_code: 'mailbox_unknown',
    reason: 'The mailbox does not exist.',
    suppress: true,
  },
  {
    enhanced: /^[45]\.1\.10$/,
    reason_code: 'domain_takes_no_mail',
    reason: 'The domain takes no email.',
    suppress: true,
  },
  {
    enhanced: /^[45]\.2\.1$/,
    reason_code: 'mailbox_disabled',
    reason: 'The mailbox is switched off.',
    suppress: true,
  },
  {
    enhanced: /^[45]\.2\.2$/,
    reason_code: 'mailbox_full',
    reason: 'The mailbox is full.',
    bounce_type: 'transient',
  },
  {
    enhanced: /^[45]\.(?:2\.3|3\.4)$/,
    reason_code: 'message_too_large',
    reason: 'The message is too large for this mailbox.',
    bounce_type: 'transient',
  },
  {
    enhanced: /^[45]\.4\.[46]$/,
    reason_code: 'routing_failed',
    reason: 'The mail server found no way to the mailbox.',
    bounce_type: 'transient',
  },
  {
    enhanced: /^[45]\.7\.(?:2[0-9]|1)$/,
    reason_code: 'policy',
    reason: 'The mail server refuses the message by its policy.',
    bounce_type: 'transient',
  },
]

/** A generic code, so it does not prove that the failure is permanent. */
const TRANSACTION_FAILED = 554

export function classify({ code, text }: Refusal): Classified {
  const enhanced_code = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? null
  const rule = rules.find(
    (one) => one.text?.test(text) ?? (enhanced_code !== null && one.enhanced?.test(enhanced_code)),
  )
  const retry = code < 500 || rule?.retry === true
  if (rule === undefined) {
    const reason = `The mail server refused the message with ${code}.`
    const lasting = code === TRANSACTION_FAILED ? ('undetermined' as const) : ('permanent' as const)
    const bounce_type = retry ? ('transient' as const) : lasting
    return { retry, bounce_type, reason_code: 'refused', reason, enhanced_code, suppress: false }
  }
  const { reason_code, reason, bounce_type = 'permanent', suppress = false } = rule
  return {
    retry,
    bounce_type: retry ? 'transient' : bounce_type,
    reason_code,
    reason,
    enhanced_code,
    suppress: suppress && !retry,
  }
}

const MINUTE_S = 60
const HOUR_S = 3_600

/** Delays between attempts, about a day in total. A failure after the last one is a bounce. */
export const RETRY_S: readonly number[] = [
  MINUTE_S,
  5 * MINUTE_S,
  15 * MINUTE_S,
  30 * MINUTE_S,
  HOUR_S,
  2 * HOUR_S,
  4 * HOUR_S,
  8 * HOUR_S,
  8 * HOUR_S,
]

/** The delay in seconds that a reply asks for, such as "try again in 300 seconds"; else null. */
export function readPause(text: string): number | null {
  const [, amount, unit] = /\b(\d{1,4}) ?(sec|s\b|min|m\b|hour|h\b)/i.exec(text) ?? []
  if (amount === undefined || unit === undefined || !/again|later|retry|wait|in \d/i.test(text))
    return null
  const factor = /^s/i.test(unit) ? 1 : /^m/i.test(unit) ? MINUTE_S : HOUR_S
  return Math.min(Number(amount) * factor, 8 * HOUR_S)
}
