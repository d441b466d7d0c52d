/** The checks of TypeBox, which are loaded at the first value; schemas do not need them. */
import type * as compile from 'typebox/compile'
import type * as value from 'typebox/value'
import { onFirstUse } from '../process/first-use.ts'

export const schemaChecks = onFirstUse<typeof value>('typebox/value')
export const schemaCompiler = onFirstUse<typeof compile>('typebox/compile')
