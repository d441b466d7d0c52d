/** Shapes of project exports. */
import { Type, type Static } from 'typebox'

export const ProjectExport = Type.Object({
  url: Type.String({ description: 'Downloads the export; secret, and valid until `expires_at`.' }),
  expires_at: Type.String({ format: 'date-time', description: 'When the link expires.' }),
  bytes: Type.Integer({
    description: 'Size of the data and files in bytes. The file is about as large or smaller.',
  }),
})
export type ProjectExport = Static<typeof ProjectExport>
