/** Limits of imports. */
import { MB, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  import_bytes_max: {
    value: 20 * MB,
    unit: 'bytes',
    about: 'Size of an import file, as sent',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_text_bytes_max: {
    value: MB / 16,
    unit: 'bytes',
    about: 'Size of a table that is imported as an argument over MCP',
    applies_to: 'documents.import over MCP',
  },
  import_unpacked_bytes_max: {
    value: 100 * MB,
    unit: 'bytes',
    about: 'Uncompressed size of one part of an imported workbook',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_cells_max: {
    value: 2_000_000,
    unit: 'cells',
    about: 'Cells of an imported table, empty ones in filled rows included',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_columns_max: {
    value: 2_000,
    unit: 'columns',
    about: 'Columns of an imported table',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_lines_max: {
    value: 20_000,
    unit: 'lines',
    about: 'Lines of an import file, without the heading',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_preview_max: {
    value: 10,
    unit: 'documents',
    about: 'Documents in the preview of a dry run of an import',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_errors_max: {
    value: 100,
    unit: 'lines',
    about: 'Refused lines listed in an import report; the first ones are listed',
    applies_to: 'POST /collections/{name}/documents/import',
  },
} as const satisfies Record<string, LimitEntry>
