/**
 * Writes the types of the portal's API, read from its OpenAPI document, for the type check of the
 * portal. They are not committed, and the build does not need them.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { operations, operatorOperations, peopleOperations } from '../server/app.ts'
import { createPortalDocument } from '../server/edges/portal-api/document.ts'
import { readConfig, withPort } from '../server/kernel/config/config.ts'
import { runAtOnce } from '../server/kernel/limits/slices.ts'

const config = withPort(readConfig({}, tmpdir()), 80)
const document = runAtOnce(
  createPortalDocument(
    { config },
    { operations, peopleOperations: [...peopleOperations, ...operatorOperations] },
  ),
)
const types = await openapiTypes(JSON.stringify(document))
const folder = join(import.meta.dirname, '../node_modules/.cache')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'portal-api.d.ts'), astToString(types))
