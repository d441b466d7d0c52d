/**
 * Returns the path of a request as the request log shows it: without query values that may be
 * personal, and without segments that may be secrets. Clients sometimes put keys and addresses
 * there by mistake.
 */
import type { Operation } from '../../contract/operation.ts'
import { isUuid } from '../../kernel/values/ids.ts'

const PATH_CHARACTERS_MAX = 300
const PARAMETERS_MAX = 20
const REPLACED = '{…}'

export function redactPath(url: string, operation: Pick<Operation, 'query'> | null): string {
  const [path = '', query = ''] = url.split('?', 2)
  const shown = path.split('/').map(segment).join('/')
  const names = query === '' ? '' : `?${parameters(query, operation)}`
  return (shown + names).slice(0, PATH_CHARACTERS_MAX)
}

const plain = /^[A-Za-z0-9_.-]{0,64}$/

function segment(text: string): string {
  if (isUuid(text)) return text
  return plain.test(text) && !mayBeSecret(text) ? text : REPLACED
}

/**
 * Whether a segment may be a secret. Tokens of this server begin with hm_; others are long and mix
 * digits with letters.
 */
function mayBeSecret(text: string): boolean {
  if (/hm_|sk_|pk_|bearer/i.test(text)) return true
  return text.length >= 20 && /\d/.test(text) && /[A-Za-z]/.test(text)
}

function parameters(query: string, operation: Pick<Operation, 'query'> | null): string {
  const schemas: Record<string, object> = operation?.query?.properties ?? {}
  return [...new URLSearchParams(query)]
    .slice(0, PARAMETERS_MAX)
    .map(([name, value]) => {
      if (!plain.test(name) || mayBeSecret(name)) return REPLACED
      return isHarmless(schemas[name], value) ? `${name}=${value}` : name
    })
    .join('&')
}

/** Whether a query value cannot be personal: numbers, booleans and words of a fixed list. */
function isHarmless(schema: object | undefined, value: string): boolean {
  if (!schema) return false
  if ('enum' in schema && Array.isArray(schema.enum)) return schema.enum.includes(value)
  const type = 'type' in schema ? schema.type : null
  if (type === 'integer') return /^\d{1,6}$/.test(value)
  return type === 'boolean' && (value === 'true' || value === 'false')
}
