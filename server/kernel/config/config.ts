/**
 * Reads the settings of setting-list.ts once at the start into a typed value, which is passed on.
 * No other file reads the environment. All invalid settings are reported together, one sentence
 * each.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { describeInvalidSettings } from './config-rules.ts'
import {
  businessRegisters,
  carriers,
  logLevels,
  emailModes,
  mailProviders,
  signUpModes,
  challengeProviders,
  modelProviders,
  type ModelChoice,
  paymentProviders,
  roles,
  vatServices,
  type AlertsConfig,
  type BackupsConfig,
  type Config,
  type ModelConfig,
  type ProcessRole,
} from './config-types.ts'
import { settings, type SettingName } from './setting-list.ts'

export class ConfigError extends Error {}

/**
 * Reads the environment, which overrides the `.env` file of `folder`. Throws a ConfigError with
 * every fault.
 */
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
  const read = settingReaders({ given, folder, faults })
  const { text, flag, list, oneOf } = read
  const production = oneOf('HOMEPORT_ENV', ['development', 'production']) === 'production'
  const config: Config = {
    production,
    host: text('HOMEPORT_HOST'),
    port: Number(text('HOMEPORT_PORT')),
    public_url: text('HOMEPORT_PUBLIC_URL').replace(/\/+$/, ''),
    sites_domain: text('HOMEPORT_SITES_DOMAIN'),
    data_dir: resolve(folder, text('HOMEPORT_DATA_DIR')),
    portal_dir: text('HOMEPORT_PORTAL_DIR') && resolve(folder, text('HOMEPORT_PORTAL_DIR')),
    blobs: {
      address: text('HOMEPORT_BLOBS'),
      access_key: text('AWS_ACCESS_KEY_ID'),
      secret_key: text('AWS_SECRET_ACCESS_KEY'),
    },
    backups: readBackups(read, folder),
    database_url: text('DATABASE_URL'),
    roles: readRoles(list('HOMEPORT_ROLES'), faults),
    workers: Number(text('HOMEPORT_WORKERS')),
    secret: text('HOMEPORT_SECRET'),
    secret_previous: text('HOMEPORT_SECRET_PREVIOUS'),
    webhooks_allow_private: flag('HOMEPORT_WEBHOOKS_ALLOW_PRIVATE'),
    egress_allow_private: flag('HOMEPORT_EGRESS_ALLOW_PRIVATE'),
    test_clock: flag('HOMEPORT_TEST_CLOCK'),
    oauth_documents: flag('HOMEPORT_OAUTH_DOCUMENTS'),
    metrics_token: text('HOMEPORT_METRICS_TOKEN'),
    status_url: text('HOMEPORT_STATUS_URL').replace(/\/+$/, ''),
    trusted_proxies: list('HOMEPORT_TRUSTED_PROXIES').filter((one) => one !== 'none'),
    egress_proxy_url: text('HOMEPORT_EGRESS_PROXY_URL'),
    egress_allow: list('HOMEPORT_EGRESS_ALLOW'),
    ...readProviders(read, production),
    simulators_url: '',
    sign_up: {
      mode: oneOf('HOMEPORT_SIGNUP', signUpModes),
      terms: text('HOMEPORT_TERMS').trim(),
      terms_version: text('HOMEPORT_TERMS_VERSION').trim(),
    },
    operator_email: text('HOMEPORT_OPERATOR_EMAIL'),
    alerts: readAlerts(read),
    audit_days: Number(text('HOMEPORT_AUDIT_DAYS')),
    verification_kept_days: Number(text('HOMEPORT_VERIFICATION_KEPT_DAYS')),
    bad_links: read.file('HOMEPORT_BAD_LINKS'),
    prices: read.file('HOMEPORT_PRICES'),
    billing_timezone: text('HOMEPORT_BILLING_TIMEZONE'),
    log_level: oneOf('HOMEPORT_LOG_LEVEL', logLevels),
  }
  faults.push(...describeInvalidSettings(config))
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return config
}

function readBackups({ text }: ReturnType<typeof settingReaders>, folder: string): BackupsConfig {
  const address = text('HOMEPORT_BACKUPS')
  const [, path] = /^disk:(.+)/.exec(address) ?? []
  return {
    address: path === undefined ? address : `disk:${resolve(folder, path)}`,
    access_key: text('AWS_ACCESS_KEY_ID'),
    secret_key: text('AWS_SECRET_ACCESS_KEY'),
    time: text('HOMEPORT_BACKUP_TIME'),
    keep_daily: Number(text('HOMEPORT_BACKUP_KEEP_DAILY')),
    keep_weekly: Number(text('HOMEPORT_BACKUP_KEEP_WEEKLY')),
    test_days: Number(text('HOMEPORT_BACKUP_TEST_DAYS')),
  }
}

function readAlerts({ text, list }: ReturnType<typeof settingReaders>): AlertsConfig {
  return {
    mail: list('HOMEPORT_ALERT_MAIL'),
    webhook: text('HOMEPORT_ALERT_WEBHOOK'),
    webhook_secret: text('HOMEPORT_ALERT_WEBHOOK_SECRET'),
    hold_minutes: Number(text('HOMEPORT_ALERT_MINUTES')),
    queue_minutes: Number(text('HOMEPORT_ALERT_QUEUE_MINUTES')),
    failed_jobs: Number(text('HOMEPORT_ALERT_FAILED_JOBS')),
    disk_percent: Number(text('HOMEPORT_ALERT_DISK_PERCENT')),
    certificate_days: Number(text('HOMEPORT_ALERT_CERTIFICATE_DAYS')),
    backup_hours: Number(text('HOMEPORT_ALERT_BACKUP_HOURS')),
  }
}

interface Given {
  given: NodeJS.ProcessEnv
  folder: string
  faults: string[]
}

/** One reader for each type of setting. Invalid values are added to `faults`. */
function settingReaders({ given, folder, faults }: Given) {
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
  const file = (name: SettingName): string => {
    const path = text(name) && resolve(folder, text(name))
    if (path && !existsSync(path)) faults.push(`${name} names a file that is not there: ${path}.`)
    return path && existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  return { text, flag, list, oneOf, seconds, file }
}

/** The connections to external providers. */
function readProviders(
  { text, list, oneOf, seconds, file }: ReturnType<typeof settingReaders>,
  production: boolean,
) {
  const register = oneOf('HOMEPORT_REGISTER', ['', ...businessRegisters])
  return {
    carrier: {
      provider: oneOf('HOMEPORT_CARRIER', carriers),
      account: text('HOMEPORT_CARRIER_ACCOUNT'),
      key: text('HOMEPORT_CARRIER_KEY'),
      url: text('HOMEPORT_CARRIER_URL'),
      timeout_ms: seconds('HOMEPORT_CARRIER_TIMEOUT_S'),
      code_sender: text('HOMEPORT_CARRIER_CODE_SENDER'),
      messaging: text('HOMEPORT_CARRIER_MESSAGING'),
      public_key: text('HOMEPORT_CARRIER_PUBLIC_KEY'),
      sms_countries: list('HOMEPORT_SMS_COUNTRIES'),
    },
    register: {
      provider: register || (production ? ('none' as const) : ('simulator' as const)),
      account: '',
      key: text('HOMEPORT_REGISTER_KEY'),
      url: text('HOMEPORT_REGISTER_URL'),
      timeout_ms: seconds('HOMEPORT_REGISTER_TIMEOUT_S'),
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
    challenge: {
      provider: oneOf('HOMEPORT_CHALLENGE', challengeProviders),
      account: text('HOMEPORT_CHALLENGE_SITE_KEY'),
      key: text('HOMEPORT_CHALLENGE_SECRET'),
      url: text('HOMEPORT_CHALLENGE_URL'),
      timeout_ms: 5_000,
    },
    mail: {
      provider: oneOf('HOMEPORT_MAIL', mailProviders),
      url: text('HOMEPORT_MAIL_URL'),
      from: text('HOMEPORT_MAIL_FROM'),
    },
    email: {
      mode:
        oneOf('HOMEPORT_EMAIL', ['', ...emailModes]) ||
        (production ? ('none' as const) : ('log' as const)),
      url: text('HOMEPORT_EMAIL_URL') || text('HOMEPORT_MAIL_URL'),
      host: text('HOMEPORT_EMAIL_HOST'),
      dns: list('HOMEPORT_EMAIL_DNS'),
      mx_port: Number(text('HOMEPORT_EMAIL_MX_PORT')),
      listen: readListener(text('HOMEPORT_EMAIL_LISTEN')),
      certificate: file('HOMEPORT_EMAIL_CERTIFICATE'),
    },
    model: readModel({ text, list, oneOf }),
  }
}

function readModel({
  text,
  list,
  oneOf,
}: Pick<ReturnType<typeof settingReaders>, 'text' | 'list' | 'oneOf'>): ModelConfig {
  return {
    provider: oneOf('HOMEPORT_MODEL', modelProviders),
    name: text('HOMEPORT_MODEL_NAME'),
    choices: list('HOMEPORT_MODEL_CHOICES').map(readModelChoice),
    key: text('HOMEPORT_MODEL_KEY'),
    url: text('HOMEPORT_MODEL_URL'),
    stall_ms: 10_000,
  }
}

/** `0.0.0.0:25` or `[::]:25`; the port is NaN if it is none, which a rule refuses. */
function readListener(text: string): { host: string; port: number } | null {
  if (text === '') return null
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? []
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? Number.NaN : Number(port) }
}

/** `gpt-5=8`; the factor is NaN if it is no number, which a rule refuses. */
function readModelChoice(choice: string): ModelChoice {
  const at = choice.lastIndexOf('=')
  if (at < 0) return { name: choice, price_factor: 1 }
  return { name: choice.slice(0, at).trim(), price_factor: Number(choice.slice(at + 1)) }
}

/** Completes the settings that contain the port, such as the public URL. */
export function withPort(config: Config, port: number): Config {
  return {
    ...config,
    port,
    public_url: config.public_url || `http://localhost:${port}`,
    sites_domain: config.sites_domain || `sites.localhost:${port}`,
    simulators_url: `http://${reachableHost(config.host)}:${port}/dev/simulators`,
  }
}

/** The host under which this process reaches itself. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function readRoles(names: string[], faults: string[]): ReadonlySet<ProcessRole> {
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

/** The npm script that started this process; empty if npm did not. */
export function npmScript(): string {
  return process.env['npm_lifecycle_script'] ?? ''
}
