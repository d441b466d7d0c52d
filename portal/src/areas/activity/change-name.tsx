/** What was changed, in words, with the name of the record. */
import { useFormat } from '../../language/format.ts'
import { useTexts } from '../../language/texts.ts'
import { operationKey, operationTexts } from './operation-texts.ts'
import type { ActivityEntry } from './queries.ts'
import { activityTexts } from './texts.ts'

export function useChangeName(): (operation: string) => string {
  const t = useTexts(operationTexts)
  return (operation) => {
    const key = operationKey(operation)
    return key === null ? operation : t(key)
  }
}

/** The name of the record and the number of changes; null if there is neither. */
export function useChangeNote(): (entry: ActivityEntry) => string | null {
  const t = useTexts(activityTexts)
  const format = useFormat()
  return ({ resource, changes }) => {
    const count = changes > 1 ? t('times', { count: format.number(changes) }) : null
    const isId = resource.id !== null && /^[0-9a-f]{8}-/.test(resource.id)
    const name = resource.name ?? (isId ? null : resource.id)
    return [name, count].filter((part) => part !== null).join(' · ') || null
  }
}
