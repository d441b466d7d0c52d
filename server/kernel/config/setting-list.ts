/**
 * Every setting with its default and its meaning; read by config.ts and printed as
 * docs/settings.md.
 */

/** In reading order. The file `.env` in the working folder is read too. */
export const settings = {
  HOMEPORT_ENV: [
    'development',
    '`production` refuses simulators, development settings and default secrets.',
  ],
  HOMEPORT_HOST: ['127.0.0.1', 'Address to listen on.'],
  HOMEPORT_PORT: ['4400', 'Port for API, portal, MCP and sites; 0 takes any free one.'],
  HOMEPORT_PUBLIC_URL: ['', 'Origin seen from outside; empty: http://localhost and the port.'],
  HOMEPORT_TRUSTED_PROXIES: [
    'loopback',
    'Whose X-Forwarded-For tells the address of a visitor: comma list of networks (CIDR), ' +
      'loopback, uniquelocal; or none.',
  ],
  HOMEPORT_SITES_DOMAIN: ['', 'Sites live under it; empty: sites.localhost and the port.'],
  HOMEPORT_DATA_DIR: ['./data', 'Embedded PostgreSQL, files and generated secrets.'],
  HOMEPORT_PORTAL_DIR: [
    '',
    'A portal that `node portal/build.ts FOLDER` has built, as in an image; empty: the first start ' +
      'builds it in the data folder.',
  ],
  HOMEPORT_BLOBS: [
    'disk',
    'Where the bytes of files are kept: disk (the folder `blobs` of the data folder), or ' +
      '`s3://bucket?endpoint=https://s3.example&region=eu-west-1`; without an endpoint, Amazon S3.',
  ],
  AWS_ACCESS_KEY_ID: ['', 'The access key for `s3://`.'],
  AWS_SECRET_ACCESS_KEY: ['', 'The secret key for `s3://`.'],
  DATABASE_URL: ['', 'Any PostgreSQL from 15 on; empty: the embedded one.'],
  HOMEPORT_ROLES: [
    'all',
    'Comma list of web (answers HTTP) and worker (runs jobs and deliveries).',
  ],
  HOMEPORT_WORKERS: [
    '1',
    'How many processes answer HTTP, beside one that works and looks after them; above 1 in ' +
      'production alone. A key may make its 120 requests a minute at each of them.',
  ],
  HOMEPORT_SECRET: ['', 'Master key that seals secrets; empty: generated into the data folder.'],
  HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: [
    '',
    'Development only: webhook addresses may be http, have a port and be on loopback.',
  ],
  HOMEPORT_TEST_CLOCK: ['', 'Development only: opens POST /dev/clock.'],
  HOMEPORT_OAUTH_DOCUMENTS: [
    'on',
    'Whether programs are told that they may name themselves by a metadata document instead of ' +
      'registering: on, or off where that gives trouble.',
  ],
  HOMEPORT_METRICS_TOKEN: ['', 'Bearer token for /metrics from elsewhere than loopback.'],
  HOMEPORT_STATUS_URL: [
    '',
    'Address of the public status page that GET /status reads (/api/v2/summary.json below it).',
  ],
  HOMEPORT_EGRESS_PROXY_URL: ['', 'HTTP proxy that every outside call goes through.'],
  HOMEPORT_EGRESS_ALLOW: [
    '',
    'Comma list of private networks (CIDR) that outside calls may reach.',
  ],
  HOMEPORT_EGRESS_ALLOW_PRIVATE: [
    '',
    'Development only: addresses of websites, imports and programs may be http, have a port and ' +
      'be on loopback.',
  ],
  HOMEPORT_CARRIER: [
    'simulator',
    'Who serves phone numbers and calls: simulator, telnyx, twilio, or none.',
  ],
  HOMEPORT_CARRIER_KEY: ['', 'The API key of Telnyx, or the auth token of Twilio.'],
  HOMEPORT_CARRIER_ACCOUNT: [
    '',
    'For Telnyx the connection that new numbers belong to. For Twilio the account SID, with commas ' +
      'then the SIDs of a bundle and an address, where numbers need papers.',
  ],
  HOMEPORT_CARRIER_URL: ['', "Another address of the carrier's API."],
  HOMEPORT_CARRIER_TIMEOUT_S: ['15', 'How long an answer of the carrier is waited for.'],
  HOMEPORT_VAT: ['simulator', 'Who checks VAT numbers of the EU: simulator, or vies.'],
  HOMEPORT_VAT_URL: ['', 'Another address of the VIES REST service.'],
  HOMEPORT_VAT_TIMEOUT_S: ['5', 'How long its answer is waited for before saving without it.'],
  HOMEPORT_PAYMENTS: [
    'builtin',
    'Who takes automatic top-ups from cards: builtin (a simulator), stripe, or none.',
  ],
  HOMEPORT_PAYMENTS_KEY: ['', 'The secret key of Stripe.'],
  HOMEPORT_PAYMENTS_URL: ['', "Another address of Stripe's API."],
  HOMEPORT_PAYMENTS_TIMEOUT_S: ['30', 'How long an answer to a payment is waited for.'],
  HOMEPORT_MAIL: [
    'log',
    'Who sends mail to owners: log (for development: written to the log alone), smtp, or none.',
  ],
  HOMEPORT_MAIL_URL: [
    '',
    'The SMTP server: `smtps://user:password@host:465`, or `smtp://user:password@host:587` with ' +
      'STARTTLS; `smtp://host:25?tls=off` without any TLS.',
  ],
  HOMEPORT_MAIL_FROM: ['', 'The sender, such as `Homeport <homeport@home.example>`.'],
  HOMEPORT_OPERATOR_EMAIL: [
    '',
    'Where you are told of owners who object to a decision about their site; empty: nowhere.',
  ],
  HOMEPORT_BAD_LINKS: [
    '',
    'File with addresses that no site may link to, beside server/areas/sites/check/links/bad-links.txt.',
  ],
  HOMEPORT_PRICES: ['', 'File with your prices; empty: those in server/contract/prices.ts.'],
  HOMEPORT_BILLING_TIMEZONE: [
    'Europe/Amsterdam',
    'Where the months of the spending cap and of number charges begin.',
  ],
  HOMEPORT_MODEL: [
    'builtin',
    'Who answers as the assistant: builtin, openai, anthropic, google or openai_compatible.',
  ],
  HOMEPORT_MODEL_NAME: ['', 'The model of that provider, for example gpt-5-mini.'],
  HOMEPORT_MODEL_KEY: ['', 'The key of that provider.'],
  HOMEPORT_MODEL_URL: ['', 'Address of an OpenAI-compatible server, ending in /v1.'],
  HOMEPORT_LOG_LEVEL: ['info', 'debug, info, warn, error or silent.'],
} as const satisfies Record<string, readonly [standard: string, about: string]>

export type SettingName = keyof typeof settings
