/** Apps: server code on a site, isolated, with its own database, sign-in, secrets and schedules. */
import { defineArea } from '../../contract/area.ts'
import { pickFields, summarizePage } from '../../contract/manifest/state-section.ts'
import { PASSWORD_PURPOSE } from './database/app-database.ts'
import { deleteOldLogs, dropDatabases } from './jobs.ts'
import * as operations from './operations.ts'
import { runSchedule, startSchedules } from './schedules.ts'
import { SECRET_PURPOSE } from './secrets.ts'
import { sendNotice, sendSignInCode } from './users/mail.ts'
import { usersOfPerson } from './users/person-store.ts'

export const apps = defineArea({
  name: 'apps',
  operations: [operations],
  jobs: [runSchedule, sendSignInCode, sendNotice],
  reconcilers: [startSchedules, deleteOldLogs, dropDatabases],
  sealed: [
    { table: 'app_secrets', column: 'sealed_value', purpose: () => SECRET_PURPOSE },
    { table: 'apps', column: 'sealed_database_password', purpose: () => PASSWORD_PURPOSE },
  ],
  personalRecords: [usersOfPerson],
  exported: [
    { table: 'apps', without: ['sealed_database_password'], for_reading: true },
    { table: 'app_versions', for_reading: true },
    { table: 'app_secrets', without: ['sealed_value'], for_reading: true },
    { table: 'app_schedules', for_reading: true },
    { table: 'app_users', without: ['password_hash'], for_reading: true },
  ],
  state: [
    {
      name: 'apps',
      about: 'apps',
      operation: 'apps.list',
      show: (reply) =>
        summarizePage(reply, (one) => pickFields(one, ['id', 'site_id', 'name', 'url', 'version'])),
    },
  ],
  guides: [
    {
      page: 'apps',
      group: 'Websites and data',
      title: 'Apps',
      card: { title: 'Apps', text: 'Server code on a site, with its own database and sign-in.' },
    },
  ],
})
