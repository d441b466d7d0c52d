/**
 * The manifest of an area: everything that the server takes from it. Each field is optional but the
 * name. The list of areas is server/app.ts; server/assemble.ts connects them.
 */
import type { Job, Reconciler } from '../kernel/jobs/jobs.ts'
import type { SealedColumn } from '../kernel/database/sealed/sealed-columns.ts'
import type { EventSource } from './events.ts'
import type { ExportedTable } from './manifest/exported-table.ts'
import type { Guide } from './manifest/guide.ts'
import type { ApiOperation } from './operation.ts'
import type { PeopleOperation } from './people.ts'
import type { Retention } from './personal-data.ts'
import type { PersonalRecords } from './person/person.ts'
import type { StateSection } from './manifest/state-section.ts'

/** The exports of a file, as `import * as` returns them. Each export must be a declaration. */
export type Declarations<Declared> = Readonly<Record<string, Declared>>

export interface Area {
  /** The name of its folder in server/areas/. */
  name: string
  /** Operations for API keys, connections, visitors' pages and MCP. */
  operations?: readonly Declarations<ApiOperation>[]
  /** Operations for signed-in people only, in the portal and its API. */
  peopleOperations?: readonly Declarations<PeopleOperation>[]
  /** For the operators of the installation only, in the API of the portal, and not documented. */
  operatorOperations?: readonly Declarations<PeopleOperation>[]
  /** The payloads of the events that the area emits. */
  events?: readonly Declarations<EventSource>[]
  /** Work that is queued with a payload and retried until it succeeds. */
  jobs?: readonly Job[]
  /** Columns with values that are sealed with the master key. */
  sealed?: readonly SealedColumn[]
  /** Work that repeats at an interval. */
  reconcilers?: readonly Reconciler[]
  /**
   * Names of MCP tools by operation, where they differ from noun_verb.
   * edges/describe/default-tools.ts chooses the tools that a client lists by default.
   */
  tools?: Readonly<Record<string, string>>
  /** Sections that the area adds to the MCP tool get_state. */
  state?: readonly StateSection[]
  /** How it deletes old records of the kinds in its personal-data.ts whose days a project chooses. */
  retentions?: readonly Retention[]
  /** How it finds and erases the records about one person, of the kinds that are searched. */
  personalRecords?: readonly PersonalRecords[]
  /** Tables of the area that the export of a whole project contains. */
  exported?: readonly ExportedTable[]
  /** Guides of the area in the documentation, in reading order. */
  guides?: readonly Guide[]
}

export function defineArea(area: Area): Area {
  return area
}
