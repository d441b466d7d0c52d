/** Schemas of apps in the API. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import { markAsOutsiders } from '../../contract/schema/outsiders.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../contract/schema/shapes.ts'
import { Sha256 } from '../sites/schema.ts'
import { Auth, AuthInput } from './users/schema.ts'

const closed = { additionalProperties: false }

const code =
  'export default {\n  fetch(request) {\n    return Response.json({ ok: true })\n  },\n}\n'

const Path = Type.String({
  pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$',
  maxLength: 200,
  description: 'Path of the module, by which others import it. Ends in .js, .ts, .json or .txt.',
  examples: ['main.ts'],
})

export const Module = Type.Object(
  {
    path: Path,
    text: Type.String({ description: 'The code or text.', examples: [code] }),
  },
  closed,
)
export type Module = Static<typeof Module>

const ModuleInput = Type.Object(
  {
    path: Path,
    text: Type.Optional(Type.String({ description: 'The code or text.', examples: [code] })),
    sha256: Type.Optional({
      ...Sha256,
      description: 'SHA-256 of a file that was uploaded with POST /sites/uploads, instead of text.',
    }),
  },
  { ...closed, examples: [{ path: 'main.ts', text: code }] },
)
export type ModuleInput = Static<typeof ModuleInput>

const ModuleInputs = Type.Array(ModuleInput, {
  minItems: 1,
  maxItems: limits.app_modules_max,
  description:
    'All modules of the app, each with text or with the sha256 of an uploaded file: ES modules in ' +
    'JavaScript or TypeScript, JSON and text.',
})

const Modules = Type.Array(Module, {
  minItems: 1,
  maxItems: limits.app_modules_max,
  description: 'All modules of the app: ES modules in JavaScript or TypeScript, JSON and text.',
})

const CronText = Type.String({
  maxLength: 200,
  description: 'Minute, hour, day of the month, month and day of the week, as in cron.',
  examples: ['0 8 * * *'],
})
const ZoneText = Type.String({
  maxLength: 100,
  description: 'Time zone of the schedule; UTC by default.',
  examples: ['Europe/Amsterdam'],
})

const Schedule = Type.Object({ cron: CronText, timezone: Type.Optional(ZoneText) }, closed)

const Service = Type.Enum(['email', 'media', 'chat'])

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name of the app for people.',
  examples: ['Guest book'],
})

const Host = Type.String({
  title: 'A host such as api.example.com, without https:// and path',
  pattern: '^[A-Za-z0-9.-]+(:[0-9]{1,5})?$',
  maxLength: 255,
})

const settings = {
  main: Type.Optional(
    withDescription(
      Path,
      'The module with the default export. Default: main.ts, main.js or the first.',
    ),
  ),
  allowed_hosts: Type.Optional(
    Type.Array(Host, {
      maxItems: limits.app_hosts_max,
      description: 'Hosts that the code may fetch from, without wildcards.',
      examples: [['api.example.com']],
    }),
  ),
  collections: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 50,
      description: 'Collections of the project that the code may use by env.DATA.',
      examples: [['bookings']],
    }),
  ),
  services: Type.Optional(
    Type.Array(Service, {
      uniqueItems: true,
      description:
        'Services of the project that the code may use: email (env.EMAIL), media (env.MEDIA), chat ' +
        '(env.CHAT). The key needs their scopes.',
      examples: [['email']],
    }),
  ),
  schedules: Type.Optional(
    Type.Array(Schedule, {
      maxItems: limits.app_schedules_max,
      description: 'When the function `scheduled` of the code runs.',
      examples: [[{ cron: '0 8 * * *', timezone: 'Europe/Amsterdam' }]],
    }),
  ),
  auth: Type.Optional(
    Type.Union([Type.Boolean(), AuthInput], {
      description:
        'How visitors sign in, at /api/_auth/sign-in of the site. true: by a code in an email. false: ' +
        'not at all.',
      examples: [{ methods: ['password', 'passkey'], name: 'Bakery De Molen', color: '#9a3412' }],
    }),
  ),
}

export const AppInput = Type.Object(
  {
    site_id: withDescription(Uuid, 'The site whose /api/ runs the code. A site has one app.'),
    name: Name,
    modules: ModuleInputs,
    ...settings,
  },
  closed,
)
export type AppInput = Static<typeof AppInput>

export const AppDeploy = Type.Object(
  { name: Type.Optional(Name), modules: Type.Optional(ModuleInputs), ...settings },
  { ...closed, examples: [{ modules: [{ path: 'main.ts', text: code }] }] },
)
export type AppDeploy = Static<typeof AppDeploy>

export const AppId = Type.Object({ id: withDescription(Uuid, 'Id of the app.') })

const Version = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Version number, counted from 1.',
  examples: [3],
})

const facts = {
  main: Type.String({ description: 'The module with the default export.', examples: ['main.ts'] }),
  allowed_hosts: Type.Array(Type.String(), {
    description: 'Hosts that the code may fetch from.',
    examples: [['api.example.com']],
  }),
  collections: Type.Array(Type.String(), {
    description: 'Collections that the code may use.',
    examples: [['bookings']],
  }),
  services: Type.Array(Service, {
    description: 'Services of the project that the code may use.',
    examples: [['email']],
  }),
  schedules: Type.Array(Type.Object({ cron: CronText, timezone: ZoneText }), {
    description: 'When the code runs by itself.',
    examples: [[{ cron: '0 8 * * *', timezone: 'Europe/Amsterdam' }]],
  }),
  auth: Auth,
  bytes: Type.Integer({ description: 'Size of all modules.', examples: [2_140] }),
}

export const App = nameSchema(
  'App',
  Type.Object({
    id: Uuid,
    site_id: withDescription(Uuid, 'The site whose /api/ runs the code.'),
    name: Name,
    url: Type.String({
      description: 'Where the code answers.',
      examples: ['https://bakery-de-molen.sites.example/api/'],
    }),
    version: withDescription(Version, 'The live version.'),
    ...facts,
    secrets: Type.Array(Type.String(), {
      description: 'Names of its secrets, which the code has in env.',
      examples: [['PAYMENT_KEY']],
    }),
    database_bytes: Type.Integer({
      description: 'Size of its own database when it was last measured.',
      examples: [65_536],
    }),
    test: Type.Boolean({ description: 'Whether a test key deployed the live version.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    deployed_at: orNull(
      Timestamp,
      'When the live version became live; null for an imported app until its first deploy.',
    ),
  }),
)
export type App = Static<typeof App>

export const AppWithCode = nameSchema(
  'AppWithCode',
  Type.Object({ ...App.properties, modules: Modules }),
)
export type AppWithCode = Static<typeof AppWithCode>

export const AppList = PageReply(App)
export type AppList = Static<typeof AppList>

export { PageQuery }

export const VersionParams = Type.Object({
  id: withDescription(Uuid, 'Id of the app.'),
  version: Version,
})

const AppVersion = nameSchema(
  'AppVersion',
  Type.Object({
    version: Version,
    live: Type.Boolean({ description: 'Whether this version is live.' }),
    ...facts,
    test: Type.Boolean({ description: 'Whether a test key deployed it.' }),
    created_at: withDescription(Timestamp, 'When it was deployed.'),
  }),
)
export type AppVersion = Static<typeof AppVersion>

export const AppVersionList = Type.Object({
  data: Type.Array(AppVersion, { description: 'The kept versions, newest first.' }),
})
export type AppVersionList = Static<typeof AppVersionList>

export const AppVersionCode = Type.Object({ ...AppVersion.properties, modules: Modules })
export type AppVersionCode = Static<typeof AppVersionCode>

export const RollbackInput = Type.Object(
  {
    version: Type.Optional(
      withDescription(Version, 'Version to make live. Default: the one before the live one.'),
    ),
  },
  { ...closed, examples: [{ version: 2 }] },
)
export type RollbackInput = Static<typeof RollbackInput>

const Sql = Type.String({ minLength: 1, maxLength: limits.app_sql_bytes_max })

export const MigrationsInput = Type.Object(
  {
    migrations: Type.Array(
      Type.Object(
        {
          name: Type.String({
            pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$',
            description: 'Name of the migration, unique in the app.',
            examples: ['0001-entries'],
          }),
          sql: {
            ...Sql,
            description: 'Statements of PostgreSQL, which run in one transaction.',
            examples: ['create table entries (id bigserial primary key, text text not null)'],
          },
        },
        closed,
      ),
      {
        minItems: 1,
        maxItems: 100,
        description: 'In the order in which they run. Those that ran before are skipped.',
      },
    ),
  },
  closed,
)
export type MigrationsInput = Static<typeof MigrationsInput>

export const MigrationsReply = Type.Object({
  applied: Type.Array(Type.String(), {
    description: 'Names of the migrations that ran now.',
    examples: [['0001-entries']],
  }),
  skipped: Type.Array(Type.String(), {
    description: 'Names of those that ran earlier.',
    examples: [[]],
  }),
  database_bytes: Type.Integer({ description: 'Size of the database.', examples: [65_536] }),
})
export type MigrationsReply = Static<typeof MigrationsReply>

export const QueryInput = Type.Object(
  {
    sql: {
      ...Sql,
      description: 'One statement that reads.',
      examples: ['select * from entries where id > $1 order by id'],
    },
    parameters: Type.Optional(
      Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
        maxItems: 100,
        description: 'Values of $1, $2 and so on.',
        examples: [[10]],
      }),
    ),
  },
  closed,
)
export type QueryInput = Static<typeof QueryInput>

export const QueryReply = Type.Object({
  columns: Type.Array(Type.String(), {
    description: 'Names of the columns.',
    examples: [['id', 'message']],
  }),
  rows: Type.Array(markAsOutsiders(Type.Record(Type.String(), Type.Unknown())), {
    description: 'Rows by the names of their columns. Numbers over 2^53 are text.',
    examples: [[{ id: '11', message: 'Thank you!' }]],
  }),
  truncated: Type.Boolean({ description: 'Whether further rows were left out.' }),
  duration_ms: Type.Integer({ description: 'Time in milliseconds.', examples: [3] }),
})
export type QueryReply = Static<typeof QueryReply>

export const LogQuery = Type.Object(
  {
    ...PageQuery.properties,
    level: Type.Optional(
      Type.Enum(['error', 'all'], {
        description: 'error: exceptions, errors and stopped processes only.',
      }),
    ),
  },
  closed,
)
export type LogQuery = Static<typeof LogQuery>

const LogLine = nameSchema(
  'AppLogLine',
  Type.Object({
    id: Uuid,
    at: Timestamp,
    level: Type.String({
      description: 'debug, info, log, warn, error, exception, or system for a stopped process.',
      examples: ['log'],
    }),
    text: markAsOutsiders(
      Type.String({ description: 'What the code logged.', examples: ['A new entry'] }),
    ),
    place: markAsOutsiders(
      orNull(
        Type.String({ examples: ['POST /api/entries'] }),
        'Method and path of the request; null for a schedule.',
      ),
    ),
    version: Version,
  }),
)
export type LogLine = Static<typeof LogLine>

export const LogList = PageReply(LogLine)
export type LogList = Static<typeof LogList>

const SecretName = '^[A-Z][A-Z0-9_]{0,63}$'

export const SecretsInput = Type.Object(
  {
    secrets: Type.Record(
      Type.String({ pattern: SecretName }),
      Type.Union([
        Type.String({ minLength: 1, maxLength: limits.app_secret_bytes_max }),
        Type.Null(),
      ]),
      {
        additionalProperties: false,
        description: 'Values by name: capitals, digits and _. null deletes one. Others stay.',
        examples: [{ PAYMENT_KEY: 'sk_1234' }],
      },
    ),
  },
  closed,
)
export type SecretsInput = Static<typeof SecretsInput>

const AppSecret = nameSchema(
  'AppSecret',
  Type.Object({
    name: Type.String({ description: 'Name in env.', examples: ['PAYMENT_KEY'] }),
    updated_at: Timestamp,
  }),
)

export const SecretList = Type.Object({
  data: Type.Array(AppSecret, {
    description: 'Names of the secrets. Values are never shown.',
  }),
})
export type SecretList = Static<typeof SecretList>

const AppSchedule = nameSchema(
  'AppSchedule',
  Type.Object({
    cron: CronText,
    timezone: ZoneText,
    next_run_at: orNull(Timestamp, 'When it runs next.'),
    last_run_at: orNull(Timestamp, 'The time for which it ran last.'),
    last_status: orNull(
      Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
      'What became of the last run.',
    ),
    last_error: markAsOutsiders(
      orNull(Type.String({ examples: ['Error: no connection'] }), 'Why the last run failed.'),
    ),
  }),
)

export const ScheduleList = Type.Object({
  data: Type.Array(AppSchedule, { description: 'The schedules of the live version.' }),
})
export type ScheduleList = Static<typeof ScheduleList>

export const AppHours = Type.Object({
  data: Type.Array(
    Type.Object({
      hour: Timestamp,
      requests: Type.Integer({ description: 'Requests in this hour.', examples: [41] }),
      errors: Type.Integer({ description: 'Replies with 5xx.', examples: [0] }),
    }),
    { description: 'The last seven days by hour, without empty hours, oldest first.' },
  ),
})
export type AppHours = Static<typeof AppHours>
