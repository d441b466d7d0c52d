/** Scheduled backups of the installation. */
import { defineArea } from '../../contract/area.ts'
import { scheduleBackups, testBackup, writeBackup } from './jobs.ts'
import * as operatorOperations from './people-operations.ts'

export const backups = defineArea({
  name: 'backups',
  operatorOperations: [operatorOperations],
  jobs: [writeBackup, testBackup],
  reconcilers: [scheduleBackups],
})
