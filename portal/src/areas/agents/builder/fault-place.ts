/** Names the field of the builder that a fault of the server is at. */
import type { Translate } from '../../../language/texts.ts'
import type { builderTexts } from './texts.ts'

/** The fields of an agent that a fault can be at, by their names in the API. */
const placeNames = {
  action: 'action',
  cron: 'cron',
  event: 'event',
  filter: 'filter',
  input: 'input',
  instructions: 'instructions',
  name: 'name',
  timezone: 'timezone',
  when: 'when',
} as const

/** The place of a fault, such as `Step 1, Action:`. */
export function placeOf(path: string, t: Translate<(typeof builderTexts)['table']>): string {
  const parts = path.split('/').slice(1)
  const field = parts.find((part) => Object.hasOwn(placeNames, part))
  const [first, index] = parts
  const names = [
    ...(first === 'steps' && index !== undefined ? [t('step', { number: Number(index) + 1 })] : []),
    ...(isPlace(field) ? [t(placeNames[field])] : []),
  ]
  return names.length === 0 ? '' : `${names.join(', ')}:`
}

function isPlace(name: string | undefined): name is keyof typeof placeNames {
  return name !== undefined && Object.hasOwn(placeNames, name)
}
