/** JSON Schema: compiles schemas and checks values, for other areas. It has no operations. */
import { defineArea } from '../../contract/area.ts'

export const jsonSchema = defineArea({ name: 'json-schema' })
