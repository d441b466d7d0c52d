/** All commands in the order of the help. */
import { backup } from './backup/backup.ts'
import * as balance from './commands/balance.ts'
import type { CliCommand } from './command.ts'
import { deploy } from './sites/deploy.ts'
import { doctor } from './doctor/doctor.ts'
import * as jobs from './commands/jobs.ts'
import * as keys from './commands/keys.ts'
import { listen } from './commands/listen.ts'
import { migrateCommand } from './commands/migrate.ts'
import * as people from './commands/people.ts'
import * as projects from './commands/projects.ts'
import { restoreCommand } from './backup/restore.ts'
import * as sites from './sites/sites.ts'
import * as tokens from './commands/tokens.ts'

export const commands: readonly CliCommand[] = [
  projects.create,
  projects.list,
  projects.verify,
  projects.goLive,
  projects.set,
  projects.remove,
  keys.create,
  keys.list,
  keys.revoke,
  people.invite,
  people.list,
  people.signInLink,
  people.resetSecondFactor,
  people.makeOperator,
  tokens.create,
  tokens.list,
  tokens.revoke,
  balance.topUp,
  balance.autoReload,
  deploy,
  sites.list,
  sites.rollback,
  sites.reviews,
  sites.decide,
  sites.takeOffline,
  sites.putOnline,
  listen,
  jobs.retry,
  migrateCommand,
  doctor,
  backup,
  restoreCommand,
]
