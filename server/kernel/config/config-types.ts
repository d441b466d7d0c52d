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
export const paymentProviders = ['builtin', 'stripe', 'none'] as const
export const mailProviders = ['log', 'smtp', 'none'] as const
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export interface ModelConfig {
  provider: (typeof modelProviders)[number]
  name: string
  key: string
  url: string
}

/** The blob store. */
export interface BlobsConfig {
  /** `disk`, or `s3://bucket?endpoint=…&region=…`. */
  address: string
  access_key: string
  secret_key: string
}

export interface MailConfig {
  provider: (typeof mailProviders)[number]
  /** smtp:// or smtps://, with the credentials. */
  url: string
  from: string
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
  /** Empty means the embedded PostgreSQL in `data_dir`. */
  database_url: string
  roles: ReadonlySet<ProcessRole>
  /** Number of processes that answer HTTP. */
  workers: number
  /** Empty means a secret generated in `data_dir` at the first start. */
  secret: string
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
  carrier: ProviderConfig<(typeof carriers)[number]>
  vat: ProviderConfig<(typeof vatServices)[number]>
  payments: ProviderConfig<(typeof paymentProviders)[number]>
  mail: MailConfig
  /** URL of the provider simulators; empty until the port is known. */
  simulators_url: string
  /** Recipient of notifications about appeals; empty means none. */
  operator_email: string
  /** Contents of the operator's list of malicious links; empty means none. */
  bad_links: string
  /** Contents of the operator's price file; empty means none. */
  prices: string
  billing_timezone: string
  model: ModelConfig
  log_level: (typeof logLevels)[number]
}
