/**
 * An area's operations.ts exports only operations. Each has a unique name and route, is in the
 * manifest of its area, and is called by a test. A test counts if it has the operation's name in
 * quotes, or its method and path with any values for the parameters: `DELETE /numbers/${number.id}`
 * counts for 'DELETE /numbers/{id}'.
 */
import { withoutComments } from '../code.ts'
import { readOperations, type Declared } from './operations.ts'
import {
  filesOf,
  architectureRule,
  architectureRuleOn,
  lineAt,
  readTree,
  type Tree,
} from '../tree.ts'

function readmeFaults(tree: Tree): string[] {
  const areas = new Set(
    Object.keys(tree).flatMap((path) => /^server\/areas\/[^/]+/.exec(path) ?? []),
  )
  return [...areas]
    .filter((area) => !(`${area}/README.md` in tree))
    .map((area) => {
      return `${area}/README.md:1: It is missing. Say there what the area promises and what was chosen.`
    })
}

architectureRule('every area has a README.md', readmeFaults, {
  refuses: [{ 'server/areas/a/service.ts': '' }],
  accepts: { 'server/areas/a/service.ts': '', 'server/areas/a/README.md': '' },
})

interface Facts {
  declared: readonly Declared[]
  /** The names of the operations in the manifests that app.ts lists. */
  listed: readonly string[]
  tree: Tree
}

const real = async (): Promise<Facts> => {
  const { operations } = await import('../../../server/app.ts')
  const tree = readTree()
  return { tree, declared: await readOperations(tree), listed: operations.map(({ name }) => name) }
}

const order = {
  file: 'server/areas/a/operations.ts',
  key: 'order',
  name: 'a.order',
  route: 'POST /a',
}
const show = { ...order, key: 'show', name: 'a.get', route: 'GET /a/{id}/b' }
const tree = {
  'server/areas/a/a.test.ts': "call('POST /a')\nconst to = `GET /a/${one.id}/b?c=1`",
}
const sound: Facts = { declared: [order, show], listed: ['a.order', 'a.get'], tree }

function placeOf({ file, route }: Declared, files: Tree): string {
  const text = files[file] ?? ''
  return `${file}:${lineAt(text, Math.max(0, text.indexOf(`'${route}'`)))}:`
}

function declarationFaults({ declared, listed, tree: files }: Facts): string[] {
  return declared.flatMap((one) => {
    const { key, name, route } = one
    if (name === '' || route === '') {
      return [`${one.file}:1: It exports ${key}, which is no operation. Move it to another file.`]
    }
    const twin = declared.find(
      (other) => other !== one && (other.name === name || other.route === route),
    )
    const found = [
      twin && `${name} and ${twin.name} share a name or a route. Give each its own`,
      !listed.includes(name) &&
        `No manifest lists ${name}. Add its file to the operations of area.ts, and the area to app.ts`,
    ]
    return found
      .filter((fault) => typeof fault === 'string')
      .map((fault) => `${placeOf(one, files)} ${fault}.`)
  })
}

architectureRuleOn(
  'operations.ts exports operations, each with its own name, all listed',
  declarationFaults,
  {
    refuses: [
      { ...sound, declared: [{ ...order, name: '', route: '' }] },
      { ...sound, declared: [order, { ...show, name: 'a.order' }] },
      { ...sound, declared: [order, { ...show, route: 'POST /a' }] },
      { ...sound, listed: ['a.get'] },
    ],
    accepts: sound,
    real,
  },
)

/** The pattern of a call to a route in the text of a test. */
function callsTo(route: string): RegExp {
  const [method, path = ''] = route.split(' ')
  const fixed = path.split(/\{\w+\}/).map(RegExp.escape)
  const parameter = String.raw`(?:\$\{[^}]*\}|[^\s/'"\x60?{}]+)+`
  return new RegExp(`\\b${method} (?://)?(?:/api/v1)?${fixed.join(parameter)}(?![\\w/{$-])`, 'g')
}

function untriedFaults({ declared, tree: files }: Facts): string[] {
  const tests = filesOf(files, /^(?!test\/architecture\/).*\.test\.ts$/)
  const said = tests.map(([, text]) => withoutComments(text)).join('\n')
  const routes = new Set(declared.map(({ route }) => route))
  return declared.flatMap((one) => {
    const { name, route } = one
    // Excludes GET /numbers/available, which is its own route and must not count for GET
    // /numbers/{id}.
    const called = (said.match(callsTo(route)) ?? []).some(
      (call) => call === route || !routes.has(call),
    )
    if (called || ["'", '"', '`'].some((quote) => said.includes(quote + name + quote))) return []
    return [`${placeOf(one, files)} No test tries ${route}. Write one that calls it.`]
  })
}

architectureRuleOn('every operation is tried by a test', untriedFaults, {
  refuses: [
    {
      ...sound,
      tree: { 'a.test.ts': "// call('POST /a')\ncall('POST /a/b'); call('GET /a/1/b')" },
    },
    { ...sound, tree: { 'a.test.ts': "call('POST /a'); call('GET /a/1/bc'); a.get('x')" } },
    { ...sound, tree: { 'test/architecture/a.test.ts': "call('POST /a'); call('GET /a/1/b')" } },
    {
      ...sound,
      declared: [show, { ...show, name: 'a.best', route: 'GET /a/best/b' }],
      tree: { 'a.test.ts': "call('GET /a/best/b')" },
    },
  ],
  accepts: { ...sound, tree: { ...tree, 'b.test.ts': "tries('a.get')" } },
  real,
})

const DECLARATION_KEYS_MAX = 16

architectureRule(
  `a declaration has at most ${DECLARATION_KEYS_MAX} keys`,
  (tree: Tree) => {
    const path = 'server/contract/operation.ts'
    const [, text = ''] = /interface Declaration<[^]*?> \{([^]*?)\n\}/.exec(tree[path] ?? '') ?? []
    const keys = withoutComments(text).match(/^ {2}\w+(?=[?:(])/gm) ?? []
    if (keys.length <= DECLARATION_KEYS_MAX) return []
    return [`${path}:1: Declaration has ${keys.length} keys. Group those that belong together.`]
  },
  {
    refuses: [
      {
        'server/contract/operation.ts': `interface Declaration<A> {\n${Array.from({ length: 17 }, (_, one) => `  k${one}?: A\n`).join('')}\n}`,
      },
    ],
    accepts: { 'server/contract/operation.ts': 'interface Declaration<A> {\n  name: A\n}' },
  },
)
