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
    'How mail is sent: log (for development: mail is only written to the log), smtp, or none.',
  ],
  HOMEPORT_MAIL_URL: [
    '',
    'The SMTP server: `smtps://user:password@host:465`, or `smtp://user:password@host:587` with ' +
      'STARTTLS; `smtp://host:25?tls=off` without any TLS.',
  ],
  HOMEPORT_MAIL_FROM: ['', 'The sender, such as `Homeport <homeport@home.example>`.'],
  HOMEPORT_OPERATOR_EMAIL: [
    '',
    'Email address of the operator, who is notified of appeals against refused sites; empty: no notification.',
  ],
  HOMEPORT_BAD_LINKS: [
    '',
    'File with malicious URLs that no site may link to, in addition to server/areas/sites/check/links/bad-links.txt.',
  ],
  HOMEPORT_PRICES: [
    '',
    'JSON file with your prices; empty: the default prices in server/contract/prices.ts.',
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
  HOMEPORT_MODEL_KEY: ['', 'API key of that provider.'],
  HOMEPORT_MODEL_URL: ['', 'URL of an OpenAI-compatible server, ending in /v1.'],
  HOMEPORT_LOG_LEVEL: [
    'info',
    'Lowest level of logged entries: debug, info, warn, error or silent.',
  ],
} as const satisfies Record<string, readonly [standard: string, about: string]>

export type SettingName = keyof typeof settings
