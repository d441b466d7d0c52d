/** Limits of apps. */
import { HOUR_S, MB, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  app_modules_max: {
    value: 100,
    unit: 'modules',
    about: 'Modules of one app',
    applies_to: 'POST /apps, PUT /apps/{id}',
  },
  app_versions_kept: {
    value: 20,
    unit: 'versions',
    about: 'Newest versions of an app that are kept, and the live one',
    applies_to: 'POST /apps/{id}/rollback',
  },
  app_hosts_max: {
    value: 20,
    unit: 'hosts',
    about: 'Hosts that one app may fetch from',
    applies_to: 'POST /apps, PUT /apps/{id}',
  },
  app_schedules_max: {
    value: 10,
    unit: 'schedules',
    about: 'Schedules of one app',
    applies_to: 'POST /apps, PUT /apps/{id}',
  },
  app_secrets_max: {
    value: 50,
    unit: 'secrets',
    about: 'Secrets of one app',
    applies_to: 'PUT /apps/{id}/secrets',
  },
  app_secret_bytes_max: {
    value: 8_192,
    unit: 'bytes',
    about: 'Size of the value of a secret',
    applies_to: 'PUT /apps/{id}/secrets',
  },
  app_query_rows_max: {
    value: 1000,
    unit: 'rows',
    about: 'Rows of a reply; further ones are left out',
    applies_to: 'POST /apps/{id}/query, env.DB',
  },
  app_query_s_max: {
    value: 5,
    unit: 'seconds',
    about: 'Time that one query of an app may take',
    applies_to: 'POST /apps/{id}/query, env.DB',
  },
  app_migration_s_max: {
    value: 30,
    unit: 'seconds',
    about: 'Time that one migration may take',
    applies_to: 'POST /apps/{id}/migrations',
  },
  app_sql_bytes_max: {
    value: 262_144,
    unit: 'bytes',
    about: 'Size of the SQL of one migration or query',
    applies_to: 'POST /apps/{id}/migrations, POST /apps/{id}/query',
  },
  app_logs_kept_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long lines of the log of an app are kept',
    applies_to: 'GET /apps/{id}/logs',
  },
  app_log_lines_per_minute_max: {
    value: 1000,
    unit: 'lines',
    about: 'Lines that one app can log in a minute; further ones are counted, not kept',
    applies_to: 'console of an app',
  },
  app_log_streams_max: {
    value: 10,
    unit: 'streams',
    about: 'Open streams of logs of the apps of a project, per process',
    applies_to: 'GET /apps/{id}/logs',
  },
  app_request_bytes_max: {
    value: 10 * MB,
    unit: 'bytes',
    about: 'Size of the body of a request to an app',
    applies_to: '/api/ of a site',
  },
  app_codes_per_day_max: {
    value: 10,
    unit: 'codes',
    about:
      'Codes for signing in to one app that one address can get in 24 hours; twice as many with a browser in which it signed in before',
    applies_to: '/api/_auth/code of a site',
  },
} as const satisfies Record<string, LimitEntry>
