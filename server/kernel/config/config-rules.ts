/** Validation of settings, alone and in combination, and what production forbids. Pure. */
import { isIP } from 'node:net'
import { describeAlertRules } from './alert-rules.ts'
import type { Config } from './config-types.ts'
import { readBackupsAddress, readS3Address } from './storage-addresses.ts'
import { isWhole } from './whole-number.ts'

const SECRET_CHARACTERS_MIN = 32
/** The upper limit keeps connections bounded: each worker opens ten to PostgreSQL. */
const WORKERS_MAX = 32

type Rule = [broken: boolean, sentence: string]

/** Whether a text is `loopback`, `uniquelocal`, an IP address or a CIDR network. */
function isNetwork(text: string): boolean {
  if (text === 'loopback' || text === 'uniquelocal') return true
  const [address = '', bits, ...rest] = text.split('/')
  const bits_max = isIP(address) === 6 ? 128 : 32
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bits_max))
  )
}

/** Rules of the language model and of the human verification. */
function modelRules({ model, challenge }: Config): Rule[] {
  return [
    [
      model.provider !== 'builtin' && !model.name,
      `HOMEPORT_MODEL=${model.provider} needs HOMEPORT_MODEL_NAME.`,
    ],
    [
      ['openai', 'anthropic', 'google'].includes(model.provider) && !model.key && !model.url,
      `HOMEPORT_MODEL=${model.provider} needs HOMEPORT_MODEL_KEY.`,
    ],
    [
      model.provider === 'openai_compatible' && !URL.canParse(model.url),
      'HOMEPORT_MODEL=openai_compatible needs HOMEPORT_MODEL_URL.',
    ],
    [
      !model.choices.every(
        ({ name, price_factor }) => name && price_factor > 0 && price_factor <= 1000,
      ),
      'HOMEPORT_MODEL_CHOICES must be names with a price factor up to 1000, such as gpt-5=8.',
    ],
    [
      model.provider === 'builtin' && model.choices.length > 0,
      'HOMEPORT_MODEL_CHOICES needs a HOMEPORT_MODEL other than builtin.',
    ],
    [
      challenge.provider !== 'altcha' && !(challenge.key && challenge.account),
      `HOMEPORT_CHALLENGE=${challenge.provider} needs HOMEPORT_CHALLENGE_SITE_KEY and HOMEPORT_CHALLENGE_SECRET.`,
    ],
  ]
}

/** One sentence for each rule that the settings violate. */
export function describeInvalidSettings(config: Config): string[] {
  const { port, public_url } = config
  const rules: Rule[] = [
    [
      !Number.isInteger(port) || port < 0 || port > 65_535,
      'HOMEPORT_PORT must be a whole number from 0 to 65535.',
    ],
    [
      public_url !== '' && !URL.canParse(public_url),
      'HOMEPORT_PUBLIC_URL must be an address such as https://home.example.',
    ],
    statusUrlRule(config),
    [
      !config.trusted_proxies.every(isNetwork),
      'HOMEPORT_TRUSTED_PROXIES must name networks such as 10.0.0.0/8, loopback, uniquelocal, or none.',
    ],
    [
      config.operator_email !== '' && !/^[^\s@,<>]+@[^\s@,<>]+$/.test(config.operator_email),
      'HOMEPORT_OPERATOR_EMAIL must be one email address, without a name.',
    ],
    ...signUpRules(config),
    ...modelRules(config),
    [
      config.carrier.provider === 'telnyx' && !config.carrier.key,
      'HOMEPORT_CARRIER=telnyx needs HOMEPORT_CARRIER_KEY.',
    ],
    [
      config.carrier.provider === 'twilio' && !(config.carrier.key && config.carrier.account),
      'HOMEPORT_CARRIER=twilio needs HOMEPORT_CARRIER_ACCOUNT and HOMEPORT_CARRIER_KEY.',
    ],
    [
      !config.carrier.sms_countries.every((code) => /^[A-Z]{2}$/.test(code)),
      'HOMEPORT_SMS_COUNTRIES must name countries by two capital letters, such as NL,BE.',
    ],
    ...verificationRules(config),
    [
      config.payments.provider === 'stripe' && !config.payments.key,
      'HOMEPORT_PAYMENTS=stripe needs HOMEPORT_PAYMENTS_KEY.',
    ],
    [
      !isTimeZone(config.billing_timezone),
      'HOMEPORT_BILLING_TIMEZONE must be a time zone such as Europe/Amsterdam.',
    ],
    [
      config.secret_previous !== '' && config.secret === '',
      'HOMEPORT_SECRET_PREVIOUS needs HOMEPORT_SECRET, which replaces it.',
    ],
    [
      !(
        Number.isInteger(config.audit_days) &&
        config.audit_days >= 30 &&
        config.audit_days <= 3650
      ),
      'HOMEPORT_AUDIT_DAYS must be a whole number from 30 to 3650.',
    ],
    ...workersRules(config),
    ...blobsRules(config),
    ...backupRules(config),
    ...describeAlertRules(config.alerts),
    ...mailRules(config),
    ...emailRules(config),
    ...(config.production ? productionRules(config) : []),
  ]
  return rules.filter(([broken]) => broken).map(([, sentence]) => sentence)
}

function statusUrlRule({ status_url }: Config): Rule {
  return [
    status_url !== '' && !URL.canParse(status_url),
    'HOMEPORT_STATUS_URL must be an address such as https://status.example.',
  ]
}

function workersRules({ workers, roles, production }: Config): Rule[] {
  return [
    [
      !Number.isInteger(workers) || workers < 1 || workers > WORKERS_MAX,
      `HOMEPORT_WORKERS must be a whole number from 1 to ${WORKERS_MAX}.`,
    ],
    [
      workers > 1 && !production,
      'HOMEPORT_WORKERS above 1 is for production: what plays the outside world in development keeps its state in one process.',
    ],
    [
      workers > 1 && !roles.has('web'),
      'HOMEPORT_WORKERS above 1 needs the role web: it says how many processes answer HTTP.',
    ],
  ]
}

const TERMS_VERSION_CHARACTERS_MAX = 50

function verificationRules({ register, verification_kept_days: days }: Config): Rule[] {
  return [
    [
      register.provider === 'kvk' && !register.key,
      'HOMEPORT_REGISTER=kvk needs HOMEPORT_REGISTER_KEY.',
    ],
    [
      !(Number.isInteger(days) && days >= 1 && days <= 3650),
      'HOMEPORT_VERIFICATION_KEPT_DAYS must be a whole number from 1 to 3650.',
    ],
  ]
}

function signUpRules({ sign_up, mail }: Config): Rule[] {
  const { mode, terms_version: version } = sign_up
  return [
    [
      mode === 'open' && mail.provider === 'none',
      'HOMEPORT_SIGNUP=open needs HOMEPORT_MAIL, because new addresses are proven by mail.',
    ],
    [
      version === '' || version.length > TERMS_VERSION_CHARACTERS_MAX || /\p{C}/u.test(version),
      `HOMEPORT_TERMS_VERSION must be one line of at most ${TERMS_VERSION_CHARACTERS_MAX} characters.`,
    ],
  ]
}

function blobsRules({ blobs: { address, access_key, secret_key } }: Config): Rule[] {
  if (address === 'disk') return []
  return [
    [
      readS3Address(address) === null,
      'HOMEPORT_BLOBS must be disk, or s3://bucket?endpoint=https://s3.example&region=eu-west-1.',
    ],
    [
      !access_key || !secret_key,
      'HOMEPORT_BLOBS=s3:// needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    ],
  ]
}

function backupRules({ backups }: Config): Rule[] {
  const { address, access_key, secret_key, time, keep_daily, keep_weekly, test_days } = backups
  return [
    [
      address !== '' && readBackupsAddress(address) === null,
      'HOMEPORT_BACKUPS must be disk:/folder, or s3://bucket/prefix?endpoint=https://s3.example&region=eu-west-1.',
    ],
    [
      address.startsWith('s3:') && !(access_key && secret_key),
      'HOMEPORT_BACKUPS=s3:// needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    ],
    [
      !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time),
      'HOMEPORT_BACKUP_TIME must be a time of day such as 03:00.',
    ],
    [
      !isWhole(keep_daily, { min: 1, max: 366 }),
      'HOMEPORT_BACKUP_KEEP_DAILY must be a whole number from 1 to 366.',
    ],
    [
      !isWhole(keep_weekly, { min: 0, max: 520 }),
      'HOMEPORT_BACKUP_KEEP_WEEKLY must be a whole number from 0 to 520.',
    ],
    [
      !isWhole(test_days, { min: 0, max: 366 }),
      'HOMEPORT_BACKUP_TEST_DAYS must be a whole number from 0 to 366.',
    ],
  ]
}

const mailAddress = /^(?:[^<>\p{Cc}]*<[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u

/** Requires a valid SMTP server, and TLS if a password crosses a network. */
function mailRules({ mail: { provider, url, from } }: Config): Rule[] {
  if (provider !== 'smtp') return []
  return [
    ...mailServerRules(URL.parse(url), 'HOMEPORT_MAIL'),
    [
      !mailAddress.test(from),
      'HOMEPORT_MAIL=smtp needs HOMEPORT_MAIL_FROM, such as Homeport <homeport@home.example>.',
    ],
  ]
}

/** The rules of the settings for emails of projects. */
function emailRules({ email, mail }: Config): Rule[] {
  const { mode, url, host, dns, mx_port, listen, certificate } = email
  const own = url === mail.url ? [] : mailServerRules(URL.parse(url), 'HOMEPORT_EMAIL')
  return [
    ...(mode === 'smarthost' && url !== '' ? own : []),
    [
      mode === 'smarthost' && url === '',
      'HOMEPORT_EMAIL=smarthost needs HOMEPORT_EMAIL_URL, such as smtp://user:password@mail.example:587.',
    ],
    [
      host !== '' && !/^(?=.{4,253}$)(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(host),
      'HOMEPORT_EMAIL_HOST must be a host name, such as bounces.home.example.',
    ],
    [
      !dns.every(
        (one) =>
          isIP(one.replace(/^\[(.*)\](?::\d+)?$/, '$1')) !== 0 ||
          isIP(one.replace(/:\d+$/, '')) !== 0,
      ),
      'HOMEPORT_EMAIL_DNS must be IP addresses, each with a port where it is not 53.',
    ],
    [
      mode === 'direct' && host === '',
      'HOMEPORT_EMAIL=direct needs HOMEPORT_EMAIL_HOST, by which this server greets other mail servers.',
    ],
    [
      !isWhole(mx_port, { min: 1, max: 65_535 }),
      'HOMEPORT_EMAIL_MX_PORT must be the number of a port.',
    ],
    [
      listen !== null &&
        (isIP(listen.host) === 0 || !isWhole(listen.port, { min: 0, max: 65_535 })),
      'HOMEPORT_EMAIL_LISTEN must be an IP address with a port, such as 0.0.0.0:25.',
    ],
    [
      certificate !== '' &&
        !(certificate.includes('-----BEGIN CERT') && certificate.includes('PRIVATE KEY-----')),
      'HOMEPORT_EMAIL_CERTIFICATE must name a PEM file with a certificate and, after it, its key.',
    ],
  ]
}

function mailServerRules(server: URL | null, setting: 'HOMEPORT_MAIL' | 'HOMEPORT_EMAIL'): Rule[] {
  const address = 'such as smtp://user:password@mail.example:587.'
  if (server === null) return [[true, `${setting} needs ${setting}_URL, ${address}`]]
  const { protocol, hostname, pathname, search, username } = server
  const plain = search === '?tls=off'
  return [
    [
      !['smtp:', 'smtps:'].includes(protocol) || hostname === '' || !['', '/'].includes(pathname),
      `${setting}_URL must be the address of an SMTP server, ${address}`,
    ],
    [
      search !== '' && !(plain && protocol === 'smtp:'),
      `${setting}_URL may end in ?tls=off, with smtp://, and in nothing else.`,
    ],
    [
      plain && username !== '' && !isLoopback(hostname),
      `${setting}_URL sends a password without TLS: take out ?tls=off, or the password.`,
    ],
  ]
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Production forbids simulators, development settings and default secrets. */
function productionRules(config: Config): Rule[] {
  const { secret } = config
  return [
    [
      config.webhooks_allow_private,
      'HOMEPORT_WEBHOOKS_ALLOW_PRIVATE is for development: take it out in production.',
    ],
    [
      config.egress_allow_private,
      'HOMEPORT_EGRESS_ALLOW_PRIVATE is for development: take it out in production.',
    ],
    [config.test_clock, 'HOMEPORT_TEST_CLOCK is for development: take it out in production.'],
    [
      config.carrier.provider === 'simulator',
      'HOMEPORT_CARRIER is a simulator: set it to telnyx or twilio, or to none.',
    ],
    [
      config.register.provider === 'simulator',
      'HOMEPORT_REGISTER is a simulator: set it to kvk, or to none.',
    ],
    [config.vat.provider === 'simulator', 'HOMEPORT_VAT is a simulator: set it to vies.'],
    [
      config.payments.provider === 'builtin',
      'HOMEPORT_PAYMENTS is a simulator: set it to stripe, or to none.',
    ],
    [
      config.mail.provider === 'log',
      'HOMEPORT_MAIL only writes mail to the log: set it to smtp, or to none.',
    ],
    [
      config.email.mode === 'log',
      'HOMEPORT_EMAIL only writes emails to the outbox: set it to smarthost or direct, or to none.',
    ],
    [secret === '', 'HOMEPORT_SECRET must be set in production.'],
    [
      secret !== '' && secret.length < SECRET_CHARACTERS_MIN,
      `HOMEPORT_SECRET must have at least ${SECRET_CHARACTERS_MIN} characters.`,
    ],
    [config.public_url === '', 'HOMEPORT_PUBLIC_URL must be set in production.'],
  ]
}
