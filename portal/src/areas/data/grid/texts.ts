/** The words of the grid of documents. */
import { defineTexts } from '../../../language/texts.ts'

export const useGridTexts = defineTexts('data-grid', {
  en: {
    open: 'Open {{title}}',
    open_column: 'Open',
    yes: 'Yes',
    no: 'No',
    created_at: 'Created',
    sort_by: 'Sort by {{column}}',
    loaded: '{{shown}} of {{count}} loaded',
    all_loaded_one: '{{shown}} document',
    all_loaded_other: '{{shown}} documents',
    keys: 'Enter edits a cell',
    saving: 'Saving…',
    saved: 'Saved.',
    undone: 'Undone.',
    undo: 'Undo',
    not_saved: 'The change is not saved.',
  },
  nl: {
    open: '{{title}} openen',
    open_column: 'Openen',
    yes: 'Ja',
    no: 'Nee',
    created_at: 'Gemaakt',
    sort_by: 'Sorteren op {{column}}',
    loaded: '{{shown}} van {{count}} geladen',
    all_loaded_one: '{{shown}} document',
    all_loaded_other: '{{shown}} documenten',
    keys: 'Enter bewerkt een cel',
    saving: 'Opslaan…',
    saved: 'Opgeslagen.',
    undone: 'Ongedaan gemaakt.',
    undo: 'Ongedaan maken',
    not_saved: 'De wijziging is niet opgeslagen.',
  },
})
