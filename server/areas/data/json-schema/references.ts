/**
 * The references of a schema, resolved as JSON Schema 2020-12 says (`$id`, `$anchor`, pointers) but
 * never outside of the schema. Every one becomes the one pointer of the place it means, so that a
 * place is compiled once, however many ways there are to name it.
 */
import { heldBy, isObject, placesIn, type JsonObject, type Place } from './outline.ts'

/** The keywords whose schemas are asked of the value itself, not of something inside it. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']

const ROOT_URI = 'schema:/root'

export interface References {
  /** The place a `$ref` means, by the pointer of the schema that holds the `$ref`. */
  targets: Map<string, string>
  faults: { path: string; message: string }[]
}

interface Known {
  /** Absolute address, with the fragment of an anchor if there is one, to the pointer. */
  addresses: Map<string, string>
  /** The base address at the place of each schema. */
  bases: Map<string, string>
}

export function resolveReferences(root: JsonObject | boolean): References {
  const places = [...placesIn(root)]
  const pointers = new Set(places.map(({ pointer }) => pointer))
  const references: References = { targets: new Map(), faults: [] }
  const known = knownAddresses(places, references)
  for (const { schema, pointer } of places) {
    if (!isObject(schema) || typeof schema['$ref'] !== 'string') continue
    const target = targetOf(schema['$ref'], known.bases.get(pointer) ?? ROOT_URI, known)
    const path = `${pointer}/$ref`
    if (typeof target !== 'string') references.faults.push({ path, message: target.message })
    else if (!pointers.has(target)) references.faults.push({ path, message: nowhere })
    else references.targets.set(pointer, target)
  }
  references.faults.push(...circlesIn(places, references))
  return references
}

const nowhere = 'must point at a schema within this schema, for example "#/$defs/address"'
const remote =
  'must stay within this schema: schemas from elsewhere are not fetched; copy them to "$defs"'

/** Places come parents first, so the base of a parent is known when its children come. */
function knownAddresses(places: readonly Place[], references: References): Known {
  const known: Known = { addresses: new Map([[ROOT_URI, '']]), bases: new Map() }
  for (const { schema, pointer } of places) {
    const above = known.bases.get(parentOf(pointer, known.bases)) ?? ROOT_URI
    const base = baseOf(schema, above)
    known.bases.set(pointer, base ?? above)
    if (base === null)
      references.faults.push({ path: `${pointer}/$id`, message: 'must be an address or a path' })
    if (!isObject(schema)) continue
    const names = [schema['$anchor'], schema['$dynamicAnchor']].filter((one) => one !== undefined)
    const addresses = names.map((name) => `${base ?? above}#${String(name)}`)
    if (typeof schema['$id'] === 'string' && base !== null) addresses.push(base)
    for (const address of new Set(addresses)) {
      if (known.addresses.has(address) && known.addresses.get(address) !== pointer)
        references.faults.push({ path: pointer, message: 'has the name of another schema here' })
      known.addresses.set(address, pointer)
    }
  }
  return known
}

/** The nearest place above; what lies between (`properties`, a name) is no schema. */
function parentOf(pointer: string, bases: ReadonlyMap<string, string>): string {
  let at = pointer
  do at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
  while (at !== '' && !bases.has(at))
  return at
}

function baseOf(schema: JsonObject | boolean, above: string): string | null {
  if (!isObject(schema) || typeof schema['$id'] !== 'string') return above
  const address = URL.parse(schema['$id'], above)
  if (!address || address.hash.length > 1) return null
  address.hash = ''
  return address.href
}

function targetOf(reference: string, base: string, known: Known): string | { message: string } {
  const address = URL.parse(reference, base)
  if (!address) return { message: nowhere }
  const fragment = readFragment(address.hash.slice(1))
  address.hash = ''
  const resource = known.addresses.get(address.href)
  if (resource === undefined) return { message: remote }
  if (fragment === null) return { message: nowhere }
  if (fragment === '') return resource
  if (fragment.startsWith('/')) return resource + fragment
  return known.addresses.get(`${address.href}#${fragment}`) ?? { message: nowhere }
}

function readFragment(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** A reference that comes back to itself without going into the value would never end. */
function circlesIn(places: readonly Place[], { targets }: References): References['faults'] {
  const faults: References['faults'] = []
  const seen = new Map<string, 'open' | 'done'>()
  const held = new Map(places.map(({ schema, pointer }) => [pointer, schema]))
  for (const { pointer } of places) walk(pointer)
  return faults

  function walk(pointer: string): void {
    if (seen.has(pointer)) return
    seen.set(pointer, 'open')
    for (const next of besides(pointer)) {
      if (seen.get(next) === 'open')
        faults.push({ path: pointer, message: 'refers back to itself without an end' })
      else walk(next)
    }
    seen.set(pointer, 'done')
  }

  /** The schemas that are asked of the same value. */
  function besides(pointer: string): string[] {
    const target = targets.get(pointer)
    const next = target === undefined ? [] : [target]
    const schema = held.get(pointer)
    if (!isObject(schema)) return next
    for (const keyword of inPlace)
      for (const [step] of heldBy(keyword, schema[keyword])) next.push(pointer + step)
    return next
  }
}
