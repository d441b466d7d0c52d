/** All commands in the order of the help. */
import * as alerts from './commands/alerts.ts'
import * as app from './apps/app.ts'
import { audit } from './commands/audit.ts'
import { backup } from './backup/backup.ts'
import * as balance from './commands/balance.ts'
import type { CliCommand } from './command.ts'
import { deploy } from './sites/deploy.ts'
import { doctor } from './doctor/doctor.ts'
import * as email from './commands/email.ts'
import * as incidents from './commands/incidents.ts'
import * as jobs from './commands/jobs.ts'
import * as keys from './commands/keys.ts'
import { listen } from './commands/listen.ts'
import { migrateCommand } from './commands/migrate.ts'
import * as people from './commands/people.ts'
import * as projects from './commands/projects.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import * as secrets from './secrets/secrets.ts'
import { restoreCommand } from './backup/restore.ts'
import { rotate } from './secrets/rotate.ts'
import * as signUps from './commands/sign-ups.ts'
import * as sites from './sites/sites.ts'
import * as storedBackups from './backup/stored.ts'
import { verifyCommand } from './backup/verify.ts'
import * as tokens from './commands/tokens.ts'

export const commands: readonly CliCommand[] = [
  projects.create,
  projects.list,
  projects.verify,
  projects.goLive,
  projects.set,
  projects.remove,
  projects.restore,
  exportCommand,
  importCommand,
  keys.create,
  keys.list,
  keys.revoke,
  people.invite,
  people.list,
  people.signInLink,
  people.resetSecondFactor,
  people.makeOperator,
  signUps.invite,
  signUps.list,
  signUps.withdraw,
  tokens.create,
  tokens.list,
  tokens.revoke,
  balance.topUp,
  balance.autoReload,
  deploy,
  app.deployApp,
  app.dev,
  app.migrateApp,
  app.logs,
  sites.list,
  sites.rollback,
  sites.reviews,
  sites.decide,
  sites.takeOffline,
  sites.putOnline,
  incidents.list,
  incidents.create,
  incidents.update,
  incidents.plan,
  incidents.remove,
  listen,
  jobs.retry,
  email.test,
  alerts.test,
  alerts.secret,
  alerts.list,
  audit,
  migrateCommand,
  doctor,
  storedBackups.now,
  storedBackups.list,
  verifyCommand,
  backup,
  restoreCommand,
  secrets.newKey,
  secrets.status,
  rotate,
]
