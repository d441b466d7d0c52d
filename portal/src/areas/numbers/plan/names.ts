/** The names of steps, fields and exits, as people read them. */
import { stepIcons, type StepType } from '../step-icons.ts'
import { useNumberTexts } from '../texts.ts'
import { useFieldTexts } from './field-texts.ts'
import { isList, isObject, type JsonObject } from './model/json.ts'
import type { Exit } from './model/exits.ts'
import { labelOf, type PlanStep } from './model/plan.ts'
import { usePlanTexts } from './texts.ts'

type KnownField = keyof typeof useFieldTexts.table

function isKnownField(name: string): name is KnownField {
  return Object.hasOwn(useFieldTexts.table, name)
}

export function isStepType(type: string): type is StepType {
  return Object.hasOwn(stepIcons, type)
}

/**
 * The name of a field or of one of its values; otherwise the name itself. Some types of steps have
 * names of their own for their fields.
 */
export function useFieldNames(): (name: string, type?: string) => string {
  const t = useFieldTexts()
  return (name, type) => {
    const own = `${type}.${name}`
    if (isKnownField(own)) return t(own)
    return isKnownField(name) ? t(name) : (name.split('.').at(-1) ?? name)
  }
}

/** What a type of step does, such as `Rings phones`. */
export function useTypeNames(): (type: string) => string {
  const t = useNumberTexts()
  return (type) => (isStepType(type) ? t(`step_${type}`) : type)
}

/** The label of a step, otherwise what it does. */
export function useStepNames(): (step: PlanStep) => string {
  const typeName = useTypeNames()
  return (step) => labelOf(step) ?? (step.type === '' ? step.id : typeName(step.type))
}

export function useExitNames(): (exit: Pick<Exit, 'field' | 'part'>) => string {
  const t = usePlanTexts()
  const fieldName = useFieldNames()
  return ({ field, part }) => {
    if (part === null) return fieldName(field)
    return field === 'rules' ? t('rule', { part }) : t('key', { key: part })
  }
}

/** The main content of a node in a few words, such as the numbers that it rings. */
export function summaryOf({ type, node }: Pick<PlanStep, 'type' | 'node'>): string {
  switch (type) {
    case 'forward':
      return listOf(node['targets'], (target) => target['label'] ?? target['e164'])
    case 'ai_agent':
      return textOf(node['greeting'])
    case 'readText':
    case 'sendSms':
    case 'hangup':
      return textOf(node['text'])
    case 'voicemail':
      return isObject(node['greeting']) ? textOf(node['greeting']['text']) : ''
    case 'menu':
      return isObject(node['prompt']) ? textOf(node['prompt']['text']) : ''
    default:
      return ''
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf(value: unknown, name: (item: JsonObject) => unknown): string {
  if (!isList(value)) return ''
  return value.flatMap((item) => (isObject(item) ? textOf(name(item)) || [] : [])).join(', ')
}
