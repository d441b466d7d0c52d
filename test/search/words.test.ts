/** The search phrases cover exactly the operations that the search can return. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations, peopleOperations } from '../../server/app.ts'
import { createCatalog } from '../../server/edges/mcp/catalog.ts'
import { runAtOnce } from '../../server/kernel/limits/slices.ts'
import {
  readAreaSections,
  searchLanguages,
  readSections,
} from '../../server/edges/mcp/search/words/word-lists.ts'

describe('the search phrases', () => {
  const sections = runAtOnce(readAreaSections())
  const found = [
    ...createCatalog(operations).all.keys(),
    ...peopleOperations.map(({ name }): string => name),
  ]

  test('exist in each language for every operation that the search can return', () => {
    for (const name of found)
      for (const language of searchLanguages)
        assert.ok(sections.get(name)?.phrases[language], `${name} has no phrases in ${language}`)
  })

  test('have no section without an operation', () => {
    const nouns = new Set(found.map((name) => `${name.split('.')[0]}.*`))
    for (const name of sections.keys())
      assert.ok(found.includes(name) || nouns.has(name), `${name} is not an operation`)
  })

  test('describe each unavailable feature in a sentence, with phrases in each language', () => {
    for (const { name, about, phrases } of runAtOnce(readSections('not-offered.md')).values()) {
      assert.match(about, /^Homeport .*\.$/, name)
      for (const language of searchLanguages) assert.ok(phrases[language], `${name} ${language}`)
    }
  })
})
