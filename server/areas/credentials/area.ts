/** Checks of passwords and passkeys, for the areas that sign people in. It has no operations. */
import { defineArea } from '../../contract/area.ts'

export const credentials = defineArea({ name: 'credentials' })
