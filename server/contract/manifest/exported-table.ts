/** A table whose rows of a project are part of the export of the whole project. */
export interface ExportedTable {
  table: string
  /** Columns that the export leaves out, such as secrets. */
  without?: readonly string[]
  /** An import ignores the rows: they are exported for reading, such as the ledger. */
  for_reading?: true
  /** Columns that an import leaves empty, because they refer to rows that are not imported. */
  emptied?: readonly string[]
  /** Values that an import sets in columns that are empty, as PostgreSQL reads them from JSON. */
  filled?: Readonly<Record<string, string>>
  /** Values that an import sets instead of those of the file. */
  replaced?: Readonly<Record<string, string | null>>
  /** Columns that hold the size in bytes of another column as JSON, which an import counts anew. */
  sizes?: Readonly<Record<string, string>>
  /**
   * A column that is unique in the installation, and the host label that begins with it. An import
   * appends characters to a taken value.
   */
  address?: Readonly<{ column: string; label: string }>
  /**
   * Tables by the columns that contain ids of their rows, where no foreign key compares the project.
   * An import refuses ids of rows of other projects.
   */
  ids_of?: Readonly<Record<string, string>>
}
