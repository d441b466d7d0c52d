/** The types of the settings, and the values of the enumerated ones. */

export const roles = ['web', 'worker'] as const
export type ProcessRole = (typeof roles)[number]

export const modelProviders = [
  'builtin',
  'openai',
  'anthropic',
  'google',
  'openai_compatible',
] as const
export const carriers = ['simulator', 'telnyx', 'twilio', 'none'] as const
export const vatServices = ['simulator', 'vies'] as const
export const businessRegisters = ['simulator', 'kvk', 'none'] as const
export const paymentProviders = ['builtin', 'stripe', 'none'] as const
export const challengeProviders = ['altcha', 'turnstile', 'hcaptcha'] as const
export const signUpModes = ['closed', 'invite', 'open'] as const
export const mailProviders = ['log', 'smtp', 'none'] as const
export const emailModes = ['log', 'smarthost', 'direct', 'none'] as const
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** A model that projects may choose. */
export interface ModelChoice {
  name: string
  /** Its price as a multiple of the prices model.tokens_in and model.tokens_out. */
  price_factor: number
}

export interface ModelConfig {
  provider: (typeof modelProviders)[number]
  name: string
  /** Further models of the provider. */
  choices: readonly ModelChoice[]
  key: string
  url: string
  /** A stream that sends nothing for this time counts as failed. */
  stall_ms: number
}

/** The blob store. */
export interface BlobsConfig {
  /** `disk`, or `s3://bucket?endpoint=…&region=…`. */
  address: string
  access_key: string
  secret_key: string
}

/** Scheduled backups. */
export interface BackupsConfig extends BlobsConfig {
  /** Empty for none, `disk:/folder`, or `s3://bucket/prefix?endpoint=…&region=…`. */
  address: string
  /** Time of day in the time zone of the installation, such as 03:00. */
  time: string
  keep_daily: number
  keep_weekly: number
  /** Days between restore tests; 0 for none. */
  test_days: number
}

/** Alerts to the operator. A threshold of 0 switches its alert off. */
export interface AlertsConfig {
  /** Empty: the operators. `['none']`: no mail. */
  mail: readonly string[]
  webhook: string
  /** Empty: derived from the master key. */
  webhook_secret: string
  hold_minutes: number
  queue_minutes: number
  failed_jobs: number
  disk_percent: number
  certificate_days: number
  backup_hours: number
}

export interface MailConfig {
  provider: (typeof mailProviders)[number]
  /** smtp:// or smtps://, with the credentials. */
  url: string
  from: string
}

/** Delivery of emails of projects to their customers. */
export interface EmailConfig {
  mode: (typeof emailModes)[number]
  /** The smarthost: smtp:// or smtps://, with the credentials. */
  url: string
  /** The target of the return-path records; empty: the host of the public URL. */
  host: string
  /** DNS servers; empty: those of the system. */
  dns: readonly string[]
  /** Port of the mail servers of recipients in the mode `direct`. */
  mx_port: number
  /** Where the server itself takes mail, that is bounces and replies; null: nowhere. */
  listen: { host: string; port: number } | null
  /** Certificate and private key for that, as PEM; empty: mail arrives without TLS. */
  certificate: string
}

/** The connection to an external provider; fields that it does not need are empty. */
export interface ProviderConfig<Name extends string> {
  provider: Name
  account: string
  key: string
  /** Replaces the default URL of the provider. */
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
  /** Folder of the built portal; empty: built in `data_dir` at the first start. */
  portal_dir: string
  blobs: BlobsConfig
  backups: BackupsConfig
  /** Empty means the embedded PostgreSQL in `data_dir`. */
  database_url: string
  roles: ReadonlySet<ProcessRole>
  /** Number of processes that answer HTTP. */
  workers: number
  /** Empty means a secret generated in `data_dir` at the first start. */
  secret: string
  /** The master key before a rotation; empty for none. */
  secret_previous: string
  webhooks_allow_private: boolean
  egress_allow_private: boolean
  test_clock: boolean
  /** Whether the OAuth metadata announces support of client ID metadata documents. */
  oauth_documents: boolean
  metrics_token: string
  status_url: string
  /** Proxies whose X-Forwarded-For header is trusted for the visitor's address. */
  trusted_proxies: readonly string[]
  egress_proxy_url: string
  egress_allow: readonly string[]
  carrier: ProviderConfig<(typeof carriers)[number]> & {
    /** The sender of verification codes; empty means that none are sent. */
    code_sender: string
    /** The messaging profile of Telnyx; empty means the one of the sending number. */
    messaging: string
    /** Verifies callbacks of Telnyx; empty means that they are refused. */
    public_key: string
    /** ISO 3166 codes. */
    sms_countries: readonly string[]
  }
  register: ProviderConfig<(typeof businessRegisters)[number]>
  vat: ProviderConfig<(typeof vatServices)[number]>
  payments: ProviderConfig<(typeof paymentProviders)[number]>
  mail: MailConfig
  email: EmailConfig
  /** Human verification of chat visitors; `account` is the public site key. */
  challenge: ProviderConfig<(typeof challengeProviders)[number]>
  /** URL of the provider simulators; empty until the port is known. */
  simulators_url: string
  /** Recipient of notifications about appeals; empty means none. */
  sign_up: {
    mode: (typeof signUpModes)[number]
    /** A URL or a text; empty: the standard text. */
    terms: string
    terms_version: string
  }
  operator_email: string
  alerts: AlertsConfig
  /** Days that acts of operators are kept. */
  audit_days: number
  /** Days for which verification documents are kept after the decision. */
  verification_kept_days: number
  /** Contents of the operator's list of malicious links; empty means none. */
  bad_links: string
  /** Contents of the operator's price file; empty means none. */
  prices: string
  billing_timezone: string
  model: ModelConfig
  log_level: (typeof logLevels)[number]
}
