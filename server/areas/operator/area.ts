/** The console of the people who operate the installation. */
import { defineArea } from '../../contract/area.ts'
import * as operations from './people-operations.ts'

export const operator = defineArea({
  name: 'operator',
  operatorOperations: [operations],
})
