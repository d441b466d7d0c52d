/** Every file starts with a head comment of at least one sentence: its content and reason. */
import { filesOf, architectureRule, type Tree } from '../tree.ts'

const head =
  /^(?:#!.*\n)?\s*(?:\/\*\*?(?<block>[\s\S]*?)\*\/|(?<lines>(?:\/\/.*\n?)+)|(?<sql>(?:--.*\n?)+))/
const sentence = /[\p{L}`'"].*\s.*\S[.!?:](?:\s|$)/su

function headFaults(tree: Tree): string[] {
  return filesOf(tree, /\.(?:ts|tsx|mjs|sql)$/).flatMap(([path, text]) => {
    const { block = '', lines = '', sql = '' } = head.exec(text)?.groups ?? {}
    const words = `${block}${lines}${sql}`.replaceAll(/^\s*(?:\*|\/\/|--)\s?/gm, '').trim()
    if (sentence.test(words)) return []
    return [`${path}:1: It begins without a sentence. Say in a comment what the file is and why.`]
  })
}

architectureRule('every file begins with a sentence', headFaults, {
  refuses: [
    { 'server/a.ts': "import a from './b.ts'\n/** A sentence that comes too late. */" },
    { 'server/a.ts': '/** constants */\nexport const a = 1' },
    { 'test/a.test.ts': '// eslint-disable\nexport {}' },
    { 'server/migrations/0001-a.sql': 'create table a ();' },
  ],
  accepts: {
    'server/a.ts': '/** The rules of a. */\nexport {}',
    'server/b.ts': '#!/usr/bin/env node\n// What b is:\n// a list.\nexport {}',
    'server/c.ts': '/**\n * Reads what\n * is there.\n */\nexport {}',
    'server/migrations/0001-a.sql': '-- A table for a.\ncreate table a ();',
  },
})
