/**
 * Templates in the arguments of a step: `{{event.data.document.id}}`. A text that is one template
 * becomes the value with its type; within a text, values become text. Inserted values are not
 * templates themselves. Pure.
 */
type Context = Readonly<Record<string, unknown>>

const template = /\{\{([^{}]+)\}\}/g
const whole = /^\{\{([^{}]+)\}\}$/
const path = /^[A-Za-z_][\w-]*(\.([\w+-]+|\*))*$/

const templateRoots = [
  'event',
  'input',
  'steps',
  'project',
  'now',
  'today',
  'today_start',
  'yesterday',
  'week_ago',
  'month_ago',
] as const

/** Thrown if the inserted values together exceed the maximum. */
export class InsertedTooLarge extends Error {}

/**
 * Fills in the templates. A missing value becomes null, or nothing within a text. Throws
 * InsertedTooLarge if the inserted values have more than `characters_max` characters together.
 */
export function fillTemplates(value: unknown, context: Context, characters_max: number): unknown {
  let left = characters_max
  const take = (found: unknown): string => {
    const text = toText(found)
    left -= text.length
    if (left < 0) throw new InsertedTooLarge()
    return text
  }
  const fillText = (text: string): unknown => {
    const only = whole.exec(text)?.[1]
    if (only === undefined)
      return text.replaceAll(template, (_, name: string) => take(lookUp(context, pathOf(name))))
    const found = lookUp(context, pathOf(only))
    take(found)
    return found ?? null
  }
  const fill = (one: unknown): unknown => {
    if (typeof one === 'string') return fillText(one)
    if (Array.isArray(one)) return one.map(fill)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, fill(part)]))
  }
  return fill(value)
}

function pathOf(name: string): string[] {
  return name.trim().split('.')
}

/** Writes each value of a list on its own line, so that people can read it in a mail. */
export function toText(value: unknown): string {
  return Array.isArray(value) ? value.map((one) => `- ${toLine(one)}`).join('\n') : toLine(value)
}

function toLine(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value)
  const parts = Object.entries(value).map(([name, one]) => {
    return `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`
  })
  return parts.join(', ')
}

/**
 * Returns undefined for a missing value. Reads own members only. `*` stands for every value of a
 * list, as in `data.*.name`, and `name+email` for an object with only these members.
 */
export function lookUp(value: unknown, names: readonly string[]): unknown {
  let at = value
  for (const [index, name] of names.entries()) {
    if (name === '*' && Array.isArray(at))
      return at.map((one) => lookUp(one, names.slice(index + 1)))
    if (typeof at !== 'object' || at === null) return undefined
    if (name.includes('+')) {
      at = pick(at, name.split('+'))
      continue
    }
    if (!Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at
}

function pick(from: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

/** Returns the templates with an invalid name or an unknown root, such as `env` in `{{env.HOME}}`. */
export function findUnknownTemplates(value: unknown): string[] {
  if (typeof value === 'string') {
    const names = [...value.matchAll(template)].map(([, name = '']) => name.trim())
    return names.filter((name) => !path.test(name) || !isRoot(name.split('.')[0] ?? ''))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(findUnknownTemplates)
}

function isRoot(name: string): boolean {
  return templateRoots.some((one) => one === name)
}
