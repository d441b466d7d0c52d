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
  carriers,
  logLevels,
  mailProviders,
  modelProviders,
  paymentProviders,
  roles,
  vatServices,
  type Config,
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
  const config: Config = {
    production: oneOf('HOMEPORT_ENV', ['development', 'production']) === 'production',
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
    database_url: text('DATABASE_URL'),
    roles: readRoles(list('HOMEPORT_ROLES'), faults),
    workers: Number(text('HOMEPORT_WORKERS')),
    secret: text('HOMEPORT_SECRET'),
    webhooks_allow_private: flag('HOMEPORT_WEBHOOKS_ALLOW_PRIVATE'),
    egress_allow_private: flag('HOMEPORT_EGRESS_ALLOW_PRIVATE'),
    test_clock: flag('HOMEPORT_TEST_CLOCK'),
    oauth_documents: flag('HOMEPORT_OAUTH_DOCUMENTS'),
    metrics_token: text('HOMEPORT_METRICS_TOKEN'),
    status_url: text('HOMEPORT_STATUS_URL').replace(/\/+$/, ''),
    trusted_proxies: list('HOMEPORT_TRUSTED_PROXIES').filter((one) => one !== 'none'),
    egress_proxy_url: text('HOMEPORT_EGRESS_PROXY_URL'),
    egress_allow: list('HOMEPORT_EGRESS_ALLOW'),
    ...readProviders(read),
    simulators_url: '',
    operator_email: text('HOMEPORT_OPERATOR_EMAIL'),
    bad_links: read.file('HOMEPORT_BAD_LINKS'),
    prices: read.file('HOMEPORT_PRICES'),
    billing_timezone: text('HOMEPORT_BILLING_TIMEZONE'),
    log_level: oneOf('HOMEPORT_LOG_LEVEL', logLevels),
  }
  faults.push(...describeInvalidSettings(config))
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return config
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
function readProviders({ text, oneOf, seconds }: ReturnType<typeof settingReaders>) {
  return {
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
    mail: {
      provider: oneOf('HOMEPORT_MAIL', mailProviders),
      url: text('HOMEPORT_MAIL_URL'),
      from: text('HOMEPORT_MAIL_FROM'),
    },
    model: {
      provider: oneOf('HOMEPORT_MODEL', modelProviders),
      name: text('HOMEPORT_MODEL_NAME'),
      key: text('HOMEPORT_MODEL_KEY'),
      url: text('HOMEPORT_MODEL_URL'),
    },
  }
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
