/**
 * Every setting with its default and its meaning; read by config.ts and printed as
 * docs/settings.md.
 */

/** The settings, in the order of the documentation. The file `.env` in the working folder is read too. */
export const settings = {
  HOMEPORT_ENV: [
    'development',
    '`production` refuses simulators, development settings and default secrets.',
  ],
  HOMEPORT_HOST: ['127.0.0.1', 'Address to listen on.'],
  HOMEPORT_PORT: ['4400', 'Port for API, portal, MCP and sites; 0 chooses a free one.'],
  HOMEPORT_PUBLIC_URL: [
    '',
    'Origin under which clients reach the server; empty: http://localhost and the port.',
  ],
  HOMEPORT_TRUSTED_PROXIES: [
    'loopback',
    'Proxies whose X-Forwarded-For header is believed to name the address of a visitor: networks ' +
      '(CIDR), loopback or uniquelocal, separated by commas; or none.',
  ],
  HOMEPORT_SITES_DOMAIN: [
    '',
    'Domain below which published sites have their hosts; empty: sites.localhost and the port.',
  ],
  HOMEPORT_DATA_DIR: [
    './data',
    'Folder of the embedded PostgreSQL, the files and the generated secrets.',
  ],
  HOMEPORT_PORTAL_DIR: [
    '',
    'Folder of a portal built by `node portal/build.ts FOLDER`, as in a container image; empty: the ' +
      'first start builds the portal in the data folder.',
  ],
  HOMEPORT_BLOBS: [
    'disk',
    'Where the contents of files are stored: disk (the folder `blobs` of the data folder), or ' +
      '`s3://bucket?endpoint=https://s3.example&region=eu-west-1`; without an endpoint, Amazon S3.',
  ],
  HOMEPORT_BACKUPS: [
    '',
    'Where daily backups are written: `disk:/folder`, or ' +
      '`s3://bucket/prefix?endpoint=https://s3.example&region=eu-west-1`, which only this installation ' +
      'uses; empty: no scheduled backups.',
  ],
  HOMEPORT_BACKUP_TIME: [
    '03:00',
    'Time of day of the scheduled backup, in the time zone HOMEPORT_BILLING_TIMEZONE.',
  ],
  HOMEPORT_BACKUP_KEEP_DAILY: [
    '7',
    'Number of days whose newest backup is kept, from 1 to 366. Older backups are deleted after a new ' +
      'one is complete and checked.',
  ],
  HOMEPORT_BACKUP_KEEP_WEEKLY: ['4', 'Number of weeks whose newest backup is kept, from 0 to 520.'],
  HOMEPORT_BACKUP_TEST_DAYS: [
    '7',
    'Days between tests that restore the newest backup into a temporary database, from 1 to 366; 0: none.',
  ],
  AWS_ACCESS_KEY_ID: ['', 'The access key for `s3://`.'],
  AWS_SECRET_ACCESS_KEY: ['', 'The secret key for `s3://`.'],
  DATABASE_URL: ['', 'URL of a PostgreSQL of version 15 or later; empty: the embedded one.'],
  HOMEPORT_ROLES: [
    'all',
    'Tasks of this process, separated by commas: web (answers HTTP), worker (runs jobs and deliveries); all: both.',
  ],
  HOMEPORT_WORKERS: [
    '1',
    'Number of processes that answer HTTP. If it is above 1 (in production only), one more process ' +
      'supervises them and does the background work, and a key may make its 120 requests a minute ' +
      'at each of them.',
  ],
  HOMEPORT_SECRET: [
    '',
    'Master key that encrypts stored secrets; empty: generated and saved in the data folder.',
  ],
  HOMEPORT_SECRET_PREVIOUS: [
    '',
    'The master key that HOMEPORT_SECRET replaces. Values encrypted with it can be read until ' +
      '"secrets rotate" has encrypted them again; then remove it.',
  ],
  HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: [
    '',
    'Development only: URLs of webhooks may use http, a port and loopback addresses.',
  ],
  HOMEPORT_TEST_CLOCK: ['', 'Development only: opens POST /dev/clock.'],
  HOMEPORT_OAUTH_DOCUMENTS: [
    'on',
    'on: the OAuth metadata announces that clients may identify themselves by a metadata document ' +
      'instead of registering. off: it does not, for clients that fail with such documents.',
  ],
  HOMEPORT_METRICS_TOKEN: [
    '',
    'Bearer token for requests to /metrics that do not come from loopback.',
  ],
  HOMEPORT_STATUS_URL: [
    '',
    'Address of the public status page that GET /status reads (/api/v2/summary.json below it).',
  ],
  HOMEPORT_EGRESS_PROXY_URL: ['', 'URL of an HTTP proxy for all outbound requests.'],
  HOMEPORT_EGRESS_ALLOW: [
    '',
    'Private networks (CIDR), separated by commas, that outbound requests may reach.',
  ],
  HOMEPORT_EGRESS_ALLOW_PRIVATE: [
    '',
    'Development only: URLs of websites, imports and OAuth client metadata may use http, a port and ' +
      'loopback addresses.',
  ],
  HOMEPORT_CARRIER: ['simulator', 'Provider of phone numbers: simulator, telnyx, twilio, or none.'],
  HOMEPORT_CARRIER_KEY: ['', 'The API key of Telnyx, or the auth token of Twilio.'],
  HOMEPORT_CARRIER_ACCOUNT: [
    '',
    'Telnyx: the id of the connection for new numbers. Twilio: the account SID; if numbers need ' +
      'documents, followed by the SIDs of a bundle and an address, separated by commas.',
  ],
  HOMEPORT_CARRIER_URL: ['', "URL of the carrier's API, if it is not the usual one."],
  HOMEPORT_CARRIER_TIMEOUT_S: ['15', 'Seconds to wait for a reply of the carrier.'],
  HOMEPORT_CARRIER_CODE_SENDER: [
    '',
    'Sender of verification codes. Telnyx: the id of a Verify profile. Twilio: one of your numbers. ' +
      'Empty: no codes are sent, and the operator confirms phone numbers (projects set).',
  ],
  HOMEPORT_CARRIER_MESSAGING: [
    '',
    'Telnyx: the id of the messaging profile that sends text messages. Not used for Twilio.',
  ],
  HOMEPORT_CARRIER_PUBLIC_KEY: [
    '',
    'Telnyx: the public key (base64) of the account, which verifies its callbacks at /hooks/telnyx.',
  ],
  HOMEPORT_SMS_COUNTRIES: [
    'AT,BE,BG,CH,CY,CZ,DE,DK,EE,ES,FI,FR,GB,GR,HR,HU,IE,IS,IT,LI,LT,LU,LV,MT,NL,NO,PL,PT,RO,SE,SI,SK',
    'Countries that text messages are sent to, as two letters each, separated by commas.',
  ],
  HOMEPORT_REGISTER: [
    '',
    'Business register that companies are checked against: simulator, kvk, or none; empty: simulator ' +
      'in development and none in production. Companies that it does not cover are reviewed by the ' +
      'operator.',
  ],
  HOMEPORT_REGISTER_KEY: ['', 'The API key of KVK (Basisprofiel).'],
  HOMEPORT_REGISTER_URL: ['', "URL of the register's API, if it is not the usual one."],
  HOMEPORT_REGISTER_TIMEOUT_S: ['10', 'Seconds to wait for a reply of the business register.'],
  HOMEPORT_VERIFICATION_KEPT_DAYS: [
    '30',
    'Days for which verification documents are kept after the decision about them.',
  ],
  HOMEPORT_VAT: ['simulator', 'Service that validates VAT numbers of the EU: simulator, or vies.'],
  HOMEPORT_VAT_URL: ['', 'URL of the VIES REST service, if it is not the usual one.'],
  HOMEPORT_VAT_TIMEOUT_S: [
    '5',
    'Seconds to wait for a reply of VIES; then the number is saved as unverified.',
  ],
  HOMEPORT_PAYMENTS: [
    'builtin',
    'Payment provider of top-ups: builtin (a simulator), stripe, or none.',
  ],
  HOMEPORT_PAYMENTS_KEY: ['', 'The secret key of Stripe.'],
  HOMEPORT_PAYMENTS_URL: ['', "URL of Stripe's API, if it is not the usual one."],
  HOMEPORT_PAYMENTS_TIMEOUT_S: ['30', 'Seconds to wait for a reply to a payment.'],
  HOMEPORT_MAIL: [
    'log',
    'How mail is sent: log (for development: the log names it, and /dev/mail shows it), smtp, or none.',
  ],
  HOMEPORT_MAIL_URL: [
    '',
    'The SMTP server: `smtps://user:password@host:465`, or `smtp://user:password@host:587` with ' +
      'STARTTLS; `smtp://host:25?tls=off` without any TLS.',
  ],
  HOMEPORT_MAIL_FROM: ['', 'The sender, such as `Homeport <homeport@home.example>`.'],
  HOMEPORT_EMAIL: [
    '',
    'How emails of projects to their customers are sent: log (for development: messages are written to the ' +
      'outbox in the portal), smarthost (through an SMTP server), direct (to the mail servers of the ' +
      'recipients), or none; empty: log in development and none in production.',
  ],
  HOMEPORT_EMAIL_URL: [
    '',
    'The SMTP server for emails of projects, in the form of HOMEPORT_MAIL_URL; empty: HOMEPORT_MAIL_URL.',
  ],
  HOMEPORT_EMAIL_HOST: [
    '',
    'Host that receives bounces, to which sending domains point a CNAME record; empty: the host of ' +
      'HOMEPORT_PUBLIC_URL. It needs an MX record, and an SPF record for the server that sends.',
  ],
  HOMEPORT_EMAIL_LISTEN: [
    '',
    'Address and port on which this server takes bounces, spam reports and replies by SMTP, such as ' +
      '0.0.0.0:25; empty: it takes none.',
  ],
  HOMEPORT_EMAIL_CERTIFICATE: [
    '',
    'PEM file with the certificate for HOMEPORT_EMAIL_HOST and, after it, its private key, for STARTTLS on ' +
      'HOMEPORT_EMAIL_LISTEN; empty: without TLS. It is read at the start.',
  ],
  HOMEPORT_EMAIL_MX_PORT: [
    '25',
    'Port of the mail servers of recipients with HOMEPORT_EMAIL=direct; another one is for tests.',
  ],
  HOMEPORT_EMAIL_DNS: [
    '',
    'DNS servers that are asked for the records of sending domains and recipients, such as 9.9.9.9 or ' +
      '127.0.0.1:5353, separated by commas; empty: those of the system.',
  ],
  HOMEPORT_SIGNUP: [
    'closed',
    'Who may create an account: closed (only people whom a project names or invites), invite (also people ' +
      'whom the operator invites), or open (everyone with an email address).',
  ],
  HOMEPORT_TERMS: [
    '',
    'The terms of use that are accepted with a new account: the URL of a page, or their text; empty: a ' +
      'standard text at /portal/terms.',
  ],
  HOMEPORT_TERMS_VERSION: [
    '1',
    'Version of the terms, which is stored with each acceptance. Change it with the terms.',
  ],
  HOMEPORT_OPERATOR_EMAIL: [
    '',
    'Email address of the operator, who is notified of appeals against refused sites; empty: no notification.',
  ],
  HOMEPORT_ALERT_MAIL: [
    '',
    'Email addresses that get alerts about the installation, separated by commas; empty: everyone with ' +
      'the operator console, or HOMEPORT_OPERATOR_EMAIL if there is nobody; none: no mail.',
  ],
  HOMEPORT_ALERT_WEBHOOK: [
    '',
    'URL that gets alerts as signed POST requests (Standard Webhooks); it may be in a private network.',
  ],
  HOMEPORT_ALERT_WEBHOOK_SECRET: [
    '',
    'Signing secret of these requests, `whsec_` and 24 to 64 bytes in base64; empty: a generated one, ' +
      'which "alerts secret" prints.',
  ],
  HOMEPORT_ALERT_MINUTES: [
    '5',
    'Minutes that a condition must hold before its alert is sent, and be over before it is resolved, ' +
      'from 1 to 60.',
  ],
  HOMEPORT_ALERT_QUEUE_MINUTES: [
    '10',
    'Alert if due jobs or webhook deliveries wait longer than this, from 1 to 1440 minutes; 0: never.',
  ],
  HOMEPORT_ALERT_FAILED_JOBS: [
    '1',
    'Alert if at least this many jobs have failed for good; 0: never.',
  ],
  HOMEPORT_ALERT_DISK_PERCENT: [
    '90',
    'Alert if the disk of the data folder or of the backups is fuller than this, from 1 to 99 percent; ' +
      '0: never.',
  ],
  HOMEPORT_ALERT_CERTIFICATE_DAYS: [
    '14',
    'Alert if the certificate of HOMEPORT_PUBLIC_URL expires within this time, from 1 to 90 days; ' +
      '0: never.',
  ],
  HOMEPORT_ALERT_BACKUP_HOURS: [
    '36',
    'With HOMEPORT_BACKUPS: alert if the newest backup is older than this, from 1 to 720 hours; 0: never.',
  ],
  HOMEPORT_AUDIT_DAYS: [
    '400',
    'Days that the audit log keeps what operators did, from 30 to 3650.',
  ],
  HOMEPORT_BAD_LINKS: [
    '',
    'File with malicious URLs that no site may link to, in addition to server/areas/sites/check/links/bad-links.txt.',
  ],
  HOMEPORT_PRICES: [
    '',
    'JSON file with your prices; empty: the default prices in server/contract/price-items.ts.',
  ],
  HOMEPORT_BILLING_TIMEZONE: [
    'Europe/Amsterdam',
    'Time zone of the months of the spending cap and of number charges.',
  ],
  HOMEPORT_MODEL: [
    'builtin',
    'Language model of the assistant: builtin, openai, anthropic, google or openai_compatible.',
  ],
  HOMEPORT_MODEL_NAME: ['', 'Name of the model at that provider, for example gpt-5-mini.'],
  HOMEPORT_MODEL_CHOICES: [
    '',
    'Further models of that provider that a project may choose, with their price as a multiple ' +
      'of the price of model tokens, such as gpt-5=8,gpt-5-nano=0.5.',
  ],
  HOMEPORT_MODEL_KEY: ['', 'API key of that provider.'],
  HOMEPORT_MODEL_URL: ['', 'URL of an OpenAI-compatible server, ending in /v1.'],
  HOMEPORT_CHALLENGE: [
    'altcha',
    'Human verification of chat visitors: altcha (proof of work, no provider), turnstile or hcaptcha.',
  ],
  HOMEPORT_CHALLENGE_SITE_KEY: ['', 'Public site key at that provider.'],
  HOMEPORT_CHALLENGE_SECRET: ['', 'Secret key at that provider.'],
  HOMEPORT_CHALLENGE_URL: ['', "Replaces the URL of the provider's check."],
  HOMEPORT_LOG_LEVEL: [
    'info',
    'Lowest level of logged entries: debug, info, warn, error or silent.',
  ],
} as const satisfies Record<string, readonly [standard: string, about: string]>

export type SettingName = keyof typeof settings
