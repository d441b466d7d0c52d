/**
 * The settings of the process: one list that says each name, its default and its meaning, read
 * once at the start into one typed value that is passed on. No other file reads the environment.
 * Settings that do not fit are refused all at once, each with a sentence.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'

const roles = ['web', 'worker', 'apps', 'mail', 'dns', 'sip'] as const
export type Role = (typeof roles)[number]

/** Every setting, in the order people read them. `.env` in the working folder is read too. */
export const settings = {
  HOMEPORT_ENV: [
    'development',
    '`production` refuses simulators, development settings and default secrets.',
  ],
  HOMEPORT_HOST: ['127.0.0.1', 'Address to listen on.'],
  HOMEPORT_PORT: ['4400', 'Port for API, portal, MCP and sites; 0 takes any free one.'],
  HOMEPORT_PUBLIC_URL: ['', 'Origin seen from outside; empty: http://localhost and the port.'],
  HOMEPORT_SITES_DOMAIN: ['', 'Sites live under it; empty: sites.localhost and the port.'],
  HOMEPORT_DATA_DIR: ['./data', 'Embedded PostgreSQL and generated secrets.'],
  DATABASE_URL: ['', 'Any PostgreSQL from 15 on; empty: the embedded one.'],
  HOMEPORT_ROLES: ['all', 'Comma list of web, worker, apps, mail, dns, sip.'],
  HOMEPORT_SECRET: ['', 'Master key that seals secrets; empty: generated into the data folder.'],
  HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: [
    '',
    'Development only: webhook addresses may be http, have a port and be on loopback.',
  ],
  HOMEPORT_TEST_CLOCK: ['', 'Development only: opens POST /dev/clock.'],
  HOMEPORT_METRICS_TOKEN: ['', 'Bearer token for /metrics from elsewhere than loopback.'],
  HOMEPORT_STATUS_URL: ['', 'Public status page, for the status_page field; empty: /status here.'],
  HOMEPORT_EGRESS_PROXY_URL: ['', 'HTTP proxy that every outside call goes through.'],
  HOMEPORT_EGRESS_ALLOW: [
    '',
    'Comma list of private networks (CIDR) that outside calls may reach.',
  ],
  HOMEPORT_CARRIER: [
    'simulator',
    'Who serves phone numbers and calls: simulator, telnyx, twilio, or none.',
  ],
  HOMEPORT_CARRIER_KEY: ['', 'The API key of Telnyx, or the auth token of Twilio.'],
  HOMEPORT_CARRIER_ACCOUNT: [
    '',
    'The account SID of Twilio; for Telnyx the connection that new numbers belong to.',
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
const modelProviders = ['builtin', 'openai', 'anthropic', 'google', 'openai_compatible'] as const
const carriers = ['simulator', 'telnyx', 'twilio', 'none'] as const
const vatServices = ['simulator', 'vies'] as const
const paymentProviders = ['builtin', 'stripe', 'none'] as const
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export interface ModelConfig {
  provider: (typeof modelProviders)[number]
  name: string
  key: string
  url: string
}

/** How a provider of the outside world is reached; what it does not need stays empty. */
export interface ProviderConfig<Name extends string> {
  provider: Name
  account: string
  key: string
  /** Another address than the provider's own. */
  url: string
  timeout_ms: number
}

export interface Config {
  production: boolean
  host: string
  port: number
  /** Empty until the port is known; see `withPort`. */
  public_url: string
  sites_domain: string
  data_dir: string
  /** Empty: the embedded PostgreSQL in `data_dir`. */
  database_url: string
  roles: ReadonlySet<Role>
  /** Empty: generated into `data_dir` at the first start. */
  secret: string
  allow_private: boolean
  test_clock: boolean
  metrics_token: string
  status_url: string
  egress_proxy_url: string
  egress_allow: readonly string[]
  carrier: ProviderConfig<(typeof carriers)[number]>
  vat: ProviderConfig<(typeof vatServices)[number]>
  payments: ProviderConfig<(typeof paymentProviders)[number]>
  /** Where the simulators of the outside world answer; empty until the port is known. */
  simulators_url: string
  /** The text of the operator's price file; empty: there is none. */
  prices: string
  billing_timezone: string
  model: ModelConfig
  log_level: (typeof logLevels)[number]
}

const SECRET_CHARACTERS_MIN = 32

export class ConfigError extends Error {}

/** Reads the environment over the `.env` file of `folder`. Throws a ConfigError naming every fault. */
export function readConfig(
  environment: NodeJS.ProcessEnv = process.env,
  folder = process.cwd(),
): Config {
  const file = join(folder, '.env')
  const given = {
    ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}),
    ...environment,
  }
  const faults: string[] = []
  const text = (name: SettingName): string => given[name]?.trim() || settings[name][0]
  const flag = (name: SettingName): boolean =>
    oneOf(name, ['', '0', '1', 'off', 'on', 'false', 'true']).match(/^(1|on|true)$/) !== null
  const list = (name: SettingName): string[] =>
    text(name)
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
  function oneOf<T extends string>(name: SettingName, values: readonly T[]): T {
    const value = values.find((one) => one === text(name))
    if (value === undefined)
      faults.push(
        `${name} must be one of ${values.filter(Boolean).join(', ')}, not "${text(name)}".`,
      )
    return value ?? values[0]!
  }
  const seconds = (name: SettingName): number => {
    const amount_s = Number(text(name))
    if (!(amount_s > 0 && amount_s <= 60)) faults.push(`${name} must be a number up to 60.`)
    return amount_s * 1000
  }
  const readFileOf = (name: SettingName): string => {
    const path = text(name) && resolve(folder, text(name))
    if (path && !existsSync(path)) faults.push(`${name} names a file that is not there: ${path}.`)
    return path && existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  const config: Config = {
    production: oneOf('HOMEPORT_ENV', ['development', 'production']) === 'production',
    host: text('HOMEPORT_HOST'),
    port: Number(text('HOMEPORT_PORT')),
    public_url: text('HOMEPORT_PUBLIC_URL').replace(/\/+$/, ''),
    sites_domain: text('HOMEPORT_SITES_DOMAIN'),
    data_dir: resolve(folder, text('HOMEPORT_DATA_DIR')),
    database_url: text('DATABASE_URL'),
    roles: readRoles(list('HOMEPORT_ROLES'), faults),
    secret: text('HOMEPORT_SECRET'),
    allow_private: flag('HOMEPORT_WEBHOOKS_ALLOW_PRIVATE'),
    test_clock: flag('HOMEPORT_TEST_CLOCK'),
    metrics_token: text('HOMEPORT_METRICS_TOKEN'),
    status_url: text('HOMEPORT_STATUS_URL'),
    egress_proxy_url: text('HOMEPORT_EGRESS_PROXY_URL'),
    egress_allow: list('HOMEPORT_EGRESS_ALLOW'),
    carrier: {
      provider: oneOf('HOMEPORT_CARRIER', carriers),
      account: text('HOMEPORT_CARRIER_ACCOUNT'),
      key: text('HOMEPORT_CARRIER_KEY'),
      url: text('HOMEPORT_CARRIER_URL'),
      timeout_ms: seconds('HOMEPORT_CARRIER_TIMEOUT_S'),
    },
    vat: {
      provider: oneOf('HOMEPORT_VAT', vatServices),
      account: '',
      key: '',
      url: text('HOMEPORT_VAT_URL'),
      timeout_ms: seconds('HOMEPORT_VAT_TIMEOUT_S'),
    },
    payments: {
      provider: oneOf('HOMEPORT_PAYMENTS', paymentProviders),
      account: '',
      key: text('HOMEPORT_PAYMENTS_KEY'),
      url: text('HOMEPORT_PAYMENTS_URL'),
      timeout_ms: seconds('HOMEPORT_PAYMENTS_TIMEOUT_S'),
    },
    simulators_url: '',
    prices: readFileOf('HOMEPORT_PRICES'),
    billing_timezone: text('HOMEPORT_BILLING_TIMEZONE'),
    model: {
      provider: oneOf('HOMEPORT_MODEL', modelProviders),
      name: text('HOMEPORT_MODEL_NAME'),
      key: text('HOMEPORT_MODEL_KEY'),
      url: text('HOMEPORT_MODEL_URL'),
    },
    log_level: oneOf('HOMEPORT_LOG_LEVEL', logLevels),
  }
  faults.push(...faultsOf(config))
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return config
}

/** The same settings once the port is known: addresses that people see carry it. */
export function withPort(config: Config, port: number): Config {
  return {
    ...config,
    port,
    public_url: config.public_url || `http://localhost:${port}`,
    sites_domain: config.sites_domain || `sites.localhost:${port}`,
    simulators_url: `http://${reachableHost(config.host)}:${port}/dev/simulators`,
  }
}

/** How this process reaches itself. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function readRoles(names: string[], faults: string[]): ReadonlySet<Role> {
  if (names.length === 1 && names[0] === 'all') return new Set(roles)
  const known = roles.filter((role) => names.includes(role))
  const unknown = names.filter((name) => !roles.some((role) => role === name))
  if (unknown.length > 0 || known.length === 0) {
    faults.push(
      `HOMEPORT_ROLES takes all, or some of ${roles.join(', ')}; not "${unknown.join(', ')}".`,
    )
  }
  return new Set(known)
}

/** What cannot be, or cannot be together. */
function faultsOf(config: Config): string[] {
  const { port, public_url, model } = config
  const rules: [broken: boolean, sentence: string][] = [
    [
      !Number.isInteger(port) || port < 0 || port > 65_535,
      'HOMEPORT_PORT must be a whole number from 0 to 65535.',
    ],
    [
      public_url !== '' && !URL.canParse(public_url),
      'HOMEPORT_PUBLIC_URL must be an address such as https://home.example.',
    ],
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
      config.carrier.provider === 'telnyx' && !config.carrier.key,
      'HOMEPORT_CARRIER=telnyx needs HOMEPORT_CARRIER_KEY.',
    ],
    [
      config.carrier.provider === 'twilio' && !(config.carrier.key && config.carrier.account),
      'HOMEPORT_CARRIER=twilio needs HOMEPORT_CARRIER_ACCOUNT and HOMEPORT_CARRIER_KEY.',
    ],
    [
      config.payments.provider === 'stripe' && !config.payments.key,
      'HOMEPORT_PAYMENTS=stripe needs HOMEPORT_PAYMENTS_KEY.',
    ],
    [
      !isTimeZone(config.billing_timezone),
      'HOMEPORT_BILLING_TIMEZONE must be a time zone such as Europe/Amsterdam.',
    ],
    ...(config.production ? productionRules(config) : []),
  ]
  return rules.filter(([broken]) => broken).map(([, sentence]) => sentence)
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** What production must not have: simulators, development settings and default secrets. */
function productionRules(config: Config): [broken: boolean, sentence: string][] {
  const { secret } = config
  return [
    [
      config.allow_private,
      'HOMEPORT_WEBHOOKS_ALLOW_PRIVATE is for development: take it out in production.',
    ],
    [config.test_clock, 'HOMEPORT_TEST_CLOCK is for development: take it out in production.'],
    [
      config.carrier.provider === 'simulator',
      'HOMEPORT_CARRIER is a simulator: set it to telnyx or twilio, or to none.',
    ],
    [config.vat.provider === 'simulator', 'HOMEPORT_VAT is a simulator: set it to vies.'],
    [
      config.payments.provider === 'builtin',
      'HOMEPORT_PAYMENTS is a simulator: set it to stripe, or to none.',
    ],
    [secret === '', 'HOMEPORT_SECRET must be set in production.'],
    [
      secret !== '' && secret.length < SECRET_CHARACTERS_MIN,
      `HOMEPORT_SECRET must have at least ${SECRET_CHARACTERS_MIN} characters.`,
    ],
    [config.public_url === '', 'HOMEPORT_PUBLIC_URL must be set in production.'],
  ]
}
