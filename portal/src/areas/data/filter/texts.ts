/** The words of the filter bar. */
import { defineTexts } from '../../../language/texts.ts'

export const useFilterTexts = defineTexts('filter', {
  en: {
    search: 'Search or filter',
    search_example: 'Search, or filter: {{example}}',
    clear: 'Clear',
    suggestions: 'Completions',
    field: 'field',
    operator: 'operator',
    value: 'value',
    word: '',
    use: 'Use {{suggestion}}',
  },
  nl: {
    search: 'Zoeken of filteren',
    search_example: 'Zoek, of filter: {{example}}',
    clear: 'Wissen',
    suggestions: 'Aanvullingen',
    field: 'veld',
    operator: 'operator',
    value: 'waarde',
    word: '',
    use: '{{suggestion}} gebruiken',
  },
})
