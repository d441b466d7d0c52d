/** Tests of the tokenizer of the architecture rules on difficult input. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, importsOf, stringsOf, withoutComments } from './code.ts'
import { filesOf, readTree } from './tree.ts'

test('the tokenizer blanks comments and keeps every line number', () => {
  const text = "one() // two\n/* three\n four */ five('// six')\n"
  assert.equal(withoutComments(text), "one()       \n        \n         five('// six')\n")
})

test('the tokenizer starts no string at a quote inside a regex', () => {
  assert.equal(codeOf(`const a = /["'\`]/g; b('c')`).replaceAll(/ +/g, ' '), 'const a = ; b( )')
})

test('the tokenizer distinguishes a division from a regex', () => {
  assert.equal(codeOf('(a) / b / c // d').trim(), '(a) / b / c')
})

test('the tokenizer treats template expressions as code, nested templates included', () => {
  const text = 'sql`now() ${at(`x ${deep({ y: 1 })} z`)} end` + after()'
  assert.equal(codeOf(text).replaceAll(/ +/g, ' '), 'sql` ${at(` ${deep({ y: 1 })} `)} ` + after()')
  assert.match(stringsOf(text), /now\(\).*x .* z.* end/)
  assert.doesNotMatch(stringsOf(text), /deep|after/)
})

test('the tokenizer finds every form of import, and distinguishes types from values', () => {
  const text = [
    "import a from '../kernel/a.ts'",
    "import type { B } from './b.ts'",
    'import {',
    '  type C,',
    '  d,',
    "} from 'd'",
    "import { type E } from 'e'",
    "import './f.ts'",
    "export * from './g.ts'",
    "const h = await import('./h.ts')",
    "// import i from './i.ts'",
  ].join('\n')
  const found = importsOf('server/areas/x.ts', text).map(({ line, file, from, is_type }) => {
    return `${line} ${file ?? from} ${is_type ? 'type' : 'value'}`
  })
  assert.deepEqual(found, [
    '1 server/kernel/a.ts value',
    '2 server/areas/b.ts type',
    '3 d value',
    '7 e type',
    '8 server/areas/f.ts value',
    '9 server/areas/g.ts value',
    '10 server/areas/h.ts value',
  ])
})

test('the tokenizer splits every file of the repository completely', () => {
  for (const [path, text] of filesOf(readTree(), /\.ts$/)) {
    const opened = codeOf(text).match(/[({[]/g)?.length ?? 0
    const closed = codeOf(text).match(/[)}\]]/g)?.length ?? 0
    assert.equal(
      opened,
      closed,
      `${path} has ${opened} brackets that open and ${closed} that close.`,
    )
  }
})
