/** What was changed, in words, with the name of the record. */
import { useFormat } from '../../language/format.ts'
import { useLevelTexts } from '../company/level-texts.ts'
import { wordOf } from '../company/level-words.ts'
import { operationKey, useOperationTexts } from './operation-texts.ts'
import type { ActivityEntry } from './queries.ts'
import { useActivityTexts } from './texts.ts'

/** Operations whose reply names a link or a person, not the changed record. */
const misnamed = new Set(['company.put', 'top_ups.create', 'verification.upload_document'])

export function useChangeName(): (operation: string) => string {
  const t = useOperationTexts()
  return (operation) => t(operationKey(operation) ?? 'other')
}

/** The name of the record and the number of changes; null if there is neither. */
export function useChangeNote(): (entry: ActivityEntry) => string | null {
  const t = useActivityTexts()
  const levels = useLevelTexts()
  const format = useFormat()
  return ({ operation, resource, changes }) => {
    const count = changes > 1 ? t('times', { count: format.number(changes) }) : null
    const isId = resource.id !== null && /^[0-9a-f]{8}-/.test(resource.id)
    const given = resource.name ?? (isId ? null : resource.id)
    const level = operation.startsWith('verification.') && given !== null
    const name = misnamed.has(operation) ? null : level ? wordOf(`level_${given}`, levels) : given
    return [name, count].filter((part) => part !== null).join(' · ') || null
  }
}
