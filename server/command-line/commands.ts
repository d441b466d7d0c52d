/** The table of contents of the command line, in the order of its help. */
import { backup } from './backup.ts'
import * as balance from './balance.ts'
import type { Command } from './command.ts'
import { deploy } from './deploy.ts'
import { doctor } from './doctor.ts'
import * as jobs from './jobs.ts'
import * as keys from './keys.ts'
import { listen } from './listen.ts'
import { migrateCommand } from './migrate.ts'
import * as people from './people.ts'
import * as projects from './projects.ts'
import { restore } from './restore.ts'
import * as sites from './sites.ts'
import * as tokens from './tokens.ts'

export const commands: readonly Command[] = [
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
  restore,
]
