/** The operations of apps. */
import assert from 'node:assert/strict'
import type { Caller } from '../../contract/caller.ts'
import { MB } from '../../contract/limits.ts'
import { operation } from '../../contract/operation.ts'
import { withEvents } from '../../contract/operations/event-replies.ts'
import * as schema from './schema.ts'
import * as apps from './service.ts'
import * as userSchema from './users/schema.ts'

const reading = {
  scope: 'sites:read',
  reach: 'selection',
  effect: 'read',
  status: 200,
  params: schema.AppId,
} as const
const managing = { scope: 'sites:write', reach: 'selection', effect: 'write' } as const

/** The largest app of any plan as JSON. */
const DEPLOY_BYTES_MAX = 16 * MB

const deployErrors = [
  'validation_failed',
  'app_too_large',
  'app_blocked',
  'upload_not_received',
  'deploy_limit_reached',
  'site_offline',
  'not_found',
  'conflict',
] as const

export const list = operation({
  ...reading,
  params: undefined,
  name: 'apps.list',
  route: 'GET /apps',
  about: 'The apps of the project, newest first: server code on its sites.',
  keywords: 'server code, backend, functions, API, workers, serverless',
  query: schema.PageQuery,
  reply: schema.AppList,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => apps.list(caller, query),
})

export const create = operation({
  ...managing,
  reach: 'project',
  publishes: true,
  name: 'apps.create',
  route: 'POST /apps',
  about:
    'Puts server code on a site: its default export has fetch(request, env, ctx), which answers ' +
    'every path below /api/ of the site, and scheduled(event, env, ctx) for schedules. The code has ' +
    'env.DB (its own PostgreSQL), env.DATA (collections), env.AUTH (sign-in) and its secrets, and ' +
    'may fetch from allowed_hosts only.',
  keywords:
    'server code, backend, function, worker, serverless, API endpoint, guest book, members, log in, ' +
    'let visitors sign in, accounts, ' +
    'deploy app, cron job, database app',
  body: schema.AppInput,
  body_rules: { bytes_max: DEPLOY_BYTES_MAX },
  status: 201,
  reply: schema.App,
  errors: deployErrors,
  run: ({ body }, caller) => apps.create(caller, body),
})

export const find = operation({
  ...reading,
  name: 'apps.get',
  route: 'GET /apps/{id}',
  about: 'An app with the code of its live version.',
  keywords: 'server code, source, backend, modules',
  reply: schema.AppWithCode,
  errors: ['not_found'],
  run: ({ params }, caller) => apps.find(caller, params.id),
})

export const deploy = operation({
  ...managing,
  publishes: true,
  name: 'apps.deploy',
  route: 'PUT /apps/{id}',
  about:
    'Makes a new version of an app, live at once. What the body leaves out stays; modules replace ' +
    'all modules.',
  keywords: 'change server code, update backend, new version, redeploy, allow a host, schedule',
  params: schema.AppId,
  body: schema.AppDeploy,
  body_rules: { bytes_max: DEPLOY_BYTES_MAX },
  status: 200,
  reply: schema.App,
  errors: deployErrors,
  run: ({ params, body }, caller) => apps.deploy(caller, params.id, body),
})

export const remove = operation({
  ...managing,
  name: 'apps.delete',
  route: 'DELETE /apps/{id}',
  about: 'Deletes an app with its versions, its own database, users, secrets and log.',
  keywords: 'remove server code, backend, take off',
  consent: {
    about: 'Deletes an app with its own database, the people who signed in, secrets and log.',
  },
  params: schema.AppId,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => apps.remove(caller, params.id),
})

export const versions = operation({
  ...reading,
  name: 'apps.versions',
  route: 'GET /apps/{id}/versions',
  about: 'The kept versions of an app, newest first.',
  keywords: 'history of server code, deployments, earlier backend',
  reply: schema.AppVersionList,
  errors: ['not_found'],
  run: ({ params }, caller) => apps.listVersions(caller, params.id),
})

export const findVersion = operation({
  ...reading,
  name: 'apps.get_version',
  route: 'GET /apps/{id}/versions/{version}',
  about: 'One version of an app with its code.',
  keywords: 'earlier server code, compare, diff, source of a version',
  params: schema.VersionParams,
  reply: schema.AppVersionCode,
  errors: ['not_found'],
  run: ({ params }, caller) => apps.findVersion(caller, params),
})

export const rollback = operation({
  ...managing,
  publishes: true,
  name: 'apps.rollback',
  route: 'POST /apps/{id}/rollback',
  about: 'Makes an earlier version of an app live again, at once. Its database stays as it is.',
  keywords: 'undo deploy, previous server code, revert backend, restore version',
  params: schema.AppId,
  body: schema.RollbackInput,
  status: 200,
  reply: schema.App,
  errors: ['not_found', 'conflict', 'app_blocked'],
  run: ({ params, body }, caller) => apps.rollback(caller, params.id, body),
})

export const migrate = operation({
  ...managing,
  name: 'apps.migrate',
  route: 'POST /apps/{id}/migrations',
  about:
    "Changes the tables of an app's own PostgreSQL database. Each migration runs once, in a " +
    'transaction; the first that fails ends the request and those before it stay.',
  keywords: 'SQL, create table, schema change, alter, database of app, seed rows',
  waits_for_others: true,
  params: schema.AppId,
  body: schema.MigrationsInput,
  body_rules: { bytes_max: 4 * MB },
  status: 200,
  reply: schema.MigrationsReply,
  errors: ['not_found', 'validation_failed', 'migration_failed'],
  run: ({ params, body }, caller) => apps.migrate(caller, params.id, body),
})

export const query = operation({
  ...reading,
  name: 'apps.query',
  route: 'POST /apps/{id}/query',
  about: "Reads from an app's own database by one SQL statement that cannot write.",
  keywords: 'SQL select, look into the database of the app, rows, report',
  waits_for_others: true,
  body: schema.QueryInput,
  reply: schema.QueryReply,
  errors: ['not_found', 'validation_failed', 'query_failed'],
  run: ({ params, body }, caller) => apps.query(caller, params.id, body),
})

const exampleLines = [
  'id: 019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20',
  'event: line',
  'data: {"at":"2026-11-21T09:30:00.000Z","level":"log","text":"A new entry"}',
  '',
  '',
].join('\n')

export const logs = withEvents(
  operation({
    ...reading,
    name: 'apps.logs',
    route: 'GET /apps/{id}/logs',
    about:
      'What an app logged in the last 7 days, newest first, with exceptions. With Accept: ' +
      'text/event-stream new lines arrive as events `line` as they are written; Last-Event-ID resumes.',
    keywords:
      'console, errors of server code, debug, stack trace, why does my app fail, tail, follow',
    query: schema.LogQuery,
    reply: schema.LogList,
    errors: ['not_found', 'invalid_parameter', 'rate_limited'],
    run: ({ params, query }, caller) => apps.listLogs(caller, params.id, query),
  }),
  {
    shapes: { params: schema.AppId, query: schema.LogQuery },
    example: exampleLines,
    run({ params, query, following }, caller: Caller) {
      assert(following, 'Callers with a key or a session can follow.')
      return apps.followLogs(caller, { ...following, id: params.id, level: query.level })
    },
  },
)

export const hours = operation({
  ...reading,
  name: 'apps.hours',
  route: 'GET /apps/{id}/hours',
  about: 'Requests to an app and its failures by hour, in the last 7 days.',
  keywords: 'traffic of server code, chart, errors per hour, usage',
  reply: schema.AppHours,
  errors: ['not_found'],
  run: ({ params }, caller) => apps.listHours(caller, params.id),
})

export const secrets = operation({
  ...reading,
  reach: 'project',
  name: 'apps.secrets',
  route: 'GET /apps/{id}/secrets',
  about: 'Names of the secrets of an app. Values are never shown.',
  keywords: 'API keys of server code, environment variables, vault',
  reply: schema.SecretList,
  errors: ['not_found'],
  run: ({ params }, caller) => apps.listSecrets(caller, params.id),
})

export const putSecrets = operation({
  ...managing,
  reach: 'project',
  name: 'apps.put_secrets',
  route: 'PUT /apps/{id}/secrets',
  about:
    'Sets or deletes secrets of an app, which its code has in env by name. They work from the next ' +
    'request on.',
  keywords: 'API key for server code, environment variable, password, token, vault',
  params: schema.AppId,
  body: schema.SecretsInput,
  status: 200,
  reply: schema.SecretList,
  errors: ['not_found', 'validation_failed'],
  run: ({ params, body }, caller) => apps.putSecrets(caller, params.id, body),
})

export const users = operation({
  ...reading,
  name: 'apps.users',
  route: 'GET /apps/{id}/users',
  about: 'People who signed in to an app, newest first.',
  keywords: 'members, accounts, who logged in, sign-ups of the app',
  query: schema.PageQuery,
  reply: userSchema.UserList,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => apps.listUsers(caller, params.id, query),
})

export const changeUser = operation({
  ...managing,
  name: 'apps.update_user',
  route: 'PATCH /apps/{id}/users/{user_id}',
  about: 'Blocks a user of an app, who is signed out at once, or lets them in again.',
  keywords: 'ban member, block account, lock out',
  params: userSchema.UserParams,
  body: userSchema.UserChange,
  status: 200,
  reply: userSchema.UserList.properties.data.items,
  errors: ['not_found'],
  run: ({ params, body }, caller) => apps.changeUser(caller, params, body),
})

export const schedules = operation({
  ...reading,
  name: 'apps.schedules',
  route: 'GET /apps/{id}/schedules',
  about: 'The schedules of an app, with their next and last run.',
  keywords: 'cron jobs of server code, timer, when does it run',
  reply: schema.ScheduleList,
  errors: ['not_found'],
  run: ({ params }, caller) => apps.listSchedules(caller, params.id),
})
