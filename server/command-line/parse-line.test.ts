/** Tests of parsing of arguments and of error messages; needs no database. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/fixtures/data/odd-values.ts'
import { findNearestName } from '../kernel/values/nearest.ts'
import { euro, listOf, id, email, line, type OptionParser } from './option-parsers.ts'
import { CommandError } from './command-error.ts'
import { orderTables } from '../kernel/database/table-order.ts'
import { runInProcess, temporaryFolder } from '../../test/fixtures/command-line.ts'
import { joinAlternatives, formatCount, formatFields, formatTable } from './output.ts'

const PROJECT = '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59'
const settings = { HOMEPORT_DATA_DIR: `${temporaryFolder()}/never-made` }

async function refusal(...argv: string[]): Promise<string> {
  const { code, said, stdout } = await runInProcess(argv, settings)
  assert.equal(code, 1)
  assert.equal(stdout, '')
  return said
}

describe('an unknown word', () => {
  it('suggests the nearest command', async () => {
    assert.equal(
      await refusal('project', 'list'),
      'There is no command "project list". Did you mean "projects list"?',
    )
    assert.match(await refusal('doctr'), /Did you mean "doctor"\?/)
    assert.match(await refusal('keys', 'crate'), /Did you mean "keys create"\?/)
    assert.match(await refusal('backups', '--to', 'x'), /Did you mean "backup"\?/)
  })
  it('lists the commands if none is similar', async () => {
    assert.match(
      await refusal('frobnicate'),
      /The commands are projects create, .*secrets rotate\.$/,
    )
    assert.equal(
      await refusal('keys', 'frobnicate'),
      'There is no command "keys frobnicate". The commands are keys create, keys list, keys revoke.',
    )
  })
  it('suggests the second word of a command', async () => {
    assert.equal(
      await refusal('keys'),
      '"keys" is not a complete command: use "keys create", "keys list" or "keys revoke".',
    )
  })
  it('suggests the nearest option, or lists all', async () => {
    assert.equal(
      await refusal('projects', 'create', '--nam', 'A'),
      '"projects create" has no option --nam. Did you mean --name?',
    )
    assert.equal(
      await refusal('migrate', '--force'),
      '"migrate" has no option --force. Use --json or --help.',
    )
    assert.match(await refusal('migrate', '-x'), /has no option -x/)
    assert.match(await refusal('--frobnicate'), /has no option --frobnicate/)
  })
  it('refuses an option of another command', async () => {
    assert.match(
      await refusal('projects', 'list', '--project', PROJECT),
      /"projects list" has no option --project/,
    )
  })
  it('refuses words after the command', async () => {
    assert.equal(
      await refusal('keys', 'list', PROJECT, '--project', PROJECT),
      `"keys list" takes options only, and cannot use "${PROJECT}".`,
    )
  })
  it('refuses a repeated option, a missing value and an unexpected value', async () => {
    assert.equal(
      await refusal('projects', 'create', '--name', 'A', '--name', 'B'),
      '--name is given twice.',
    )
    assert.equal(
      await refusal('projects', 'create', '--name'),
      '--name needs a value: --name TEXT.',
    )
    assert.match(
      await refusal('projects', 'create', '--name', '--shape', 'pair'),
      /--name needs a value/,
    )
    assert.match(await refusal('projects', 'go-live', '--undo=yes'), /--undo takes no value/)
    assert.match(await refusal('projects', 'list', '--json=1'), /--json takes no value/)
  })
})

describe('missing and invalid options', () => {
  it('are listed if they are missing', async () => {
    assert.equal(
      await refusal('projects', 'verify', '--level', 'full'),
      '"projects verify" needs --project ID and --status approved|not_started.',
    )
  })
  it('are listed if they are invalid, with the valid values', async () => {
    const said = await refusal(
      'projects',
      'verify',
      '--project',
      'x',
      '--level',
      'test',
      '--status',
      'no',
    )
    assert.match(said, /--project must be an id such as \S+, not "x"\./)
    assert.match(said, /--level must be company, number_documents or full, not "test"\./)
    assert.match(said, /--status must be approved or not_started, not "no"\./)
  })
  for (const [argv, expected] of [
    [
      ['go-live', '--rail', 'fax'],
      /--rail must be phone, outbound, sms, email, payments or domains/,
    ],
    [['set', '--plan', 'gold'], /--plan must be free, online, reachable, business or enterprise/],
    [['set', '--enabled', 'yes'], /--enabled must be true or false/],
    [['set', '--card', 'true'], /--card must be yes or no/],
    [['set', '--spending-limit-eur', '-1'], /--spending-limit-eur must be .* 0 or more/],
    [['set'], /"projects set" needs something to set: --spending-limit-eur, --plan,/],
  ] as const) {
    it(`refuses projects ${argv.join(' ')}`, async () => {
      assert.match(await refusal('projects', ...argv, '--project', PROJECT), expected)
    })
  }
  for (const [argv, expected] of [
    [['--shape', 'triple'], /--shape must be single or pair/],
    [['--owner-email', 'nobody'], /--owner-email must be an email address/],
    [['--name', ' '], /--name must not be empty|given twice/],
  ] as const) {
    it(`refuses projects create ${argv.join(' ')}`, async () => {
      const name = argv[0] === '--name' ? [] : ['--name', 'A']
      assert.match(await refusal('projects', 'create', ...name, ...argv), expected)
    })
  }
  it('suggest the nearest scope for an unknown one', async () => {
    const create = ['keys', 'create', '--project', PROJECT, '--mode', 'test']
    assert.match(
      await refusal(...create, '--scopes', 'calls:raed'),
      /names the scope "calls:raed", .* mean "calls:read"\?/,
    )
    assert.match(
      await refusal(...create, '--scopes', 'x'),
      /The scopes are project:read, .*data:write, .*, or all\./,
    )
    assert.match(await refusal(...create, '--scopes', ','), /--scopes must name at least one/)
    assert.match(await refusal(...create, '--limit-sites', 'a,b'), /--limit-sites must be an id/)
    assert.match(
      await refusal('keys', 'create', '--project', PROJECT, '--mode', 'both'),
      /--mode must be test or live/,
    )
  })
  it('are reported as JSON with --json', async () => {
    const { code, json, said } = await runInProcess(['keys', 'revoke', '--json'], settings)
    assert.deepEqual([code, json], [1, { error: said }])
  })
  it('include all errors of the settings in one line', async () => {
    const { said } = await runInProcess(['projects', 'list'], {
      HOMEPORT_PORT: 'x',
      HOMEPORT_CARRIER: 'pigeon',
    })
    assert.match(said, /HOMEPORT_CARRIER .* HOMEPORT_PORT /)
  })
})

describe('help and version', () => {
  it('list every command, without arguments and with "help"', async () => {
    for (const argv of [[], ['help'], ['--help'], ['-h']]) {
      const { code, stdout } = await runInProcess(argv, settings)
      assert.equal(code, 0)
      assert.match(stdout, /^Usage: npm run -s homeport -- <command>[^]*projects create[^]*restore/)
    }
  })
  it('describe one command or a group', async () => {
    for (const argv of [
      ['help', 'keys', 'create'],
      ['keys', 'create', '--help'],
    ]) {
      const { stdout } = await runInProcess(argv, settings)
      assert.match(
        stdout,
        /Usage: .* keys create --project ID --mode test\|live \[--scopes SCOPE,SCOPE\|all\]/,
      )
      assert.match(stdout, /--limit-sites ID,ID +The only sites/)
    }
    const { stdout } = await runInProcess(['keys', '--help'], settings)
    assert.match(stdout, /keys create[^]*keys list[^]*keys revoke/)
    assert.doesNotMatch(stdout, /projects create/)
  })
  it('print one JSON document with --json', async () => {
    const help = await runInProcess(['help', '--json'], settings)
    const names = help.json.commands.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('projects go-live') && names.includes('restore'))
    const version = await runInProcess(['--version', '--json'], settings)
    assert.match(version.json.version, /^\d+\.\d+\.\d+/)
  })
  it('refuse an unknown command', async () => {
    assert.match(await refusal('help', 'doctr'), /Did you mean "doctor"\?/)
  })
})

describe('parsers of option values', () => {
  const refuses = (kind: OptionParser<unknown>, text: string) =>
    assert.throws(() => kind.read(text), CommandError, text)

  it('parse an amount exactly, with any number of digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), (micro) => {
        const digits = micro.toString().padStart(7, '0')
        const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`
        assert.equal(euro({ zero: false }).read(text), micro)
        assert.equal(euro({ zero: false }).read(text.replace(/\.?0+$/, '')), micro)
      }),
    )
  })
  it('refuse invalid amounts of euro', () => {
    for (const text of [
      '',
      'x',
      '-5',
      '+5',
      '1e3',
      '.5',
      '1.',
      '1,5',
      '0x10',
      'NaN',
      '0.0000001',
      '1000000001',
      ' 5',
    ]) {
      refuses(euro({ zero: true }), text)
    }
    for (const text of ['0', '0.0', '0.000000']) {
      refuses(euro({ zero: false }), text)
      assert.equal(euro({ zero: true }).read(text), 0n)
    }
  })
  it('throw nothing but a CommandError for random text', () => {
    const kinds = [euro({ zero: true }), id, email, line(20), listOf(id)]
    fc.assert(
      fc.property(fc.constantFrom(...kinds), anyText, (kind, text) => {
        try {
          kind.read(text)
        } catch (error) {
          assert.ok(error instanceof CommandError)
        }
      }),
    )
  })
  it('accept common email addresses', () => {
    for (const text of ['a@b.nl', 'first.last+tag@sub.example.com', "o'neil@bücher.example"])
      assert.equal(email.read(text), text)
    for (const text of [
      'a@b',
      'a b@c.nl',
      '@b.nl',
      'a@',
      'a@b..nl',
      'a@-b.nl',
      'a,b@c.nl',
      `${'a'.repeat(65)}@b.nl`,
    ])
      refuses(email, text)
  })
  it('remove duplicates of a list, ignoring the case of ids', () => {
    assert.deepEqual(listOf(id).read(`${PROJECT}, ${PROJECT.toUpperCase()},`), [PROJECT])
  })
  it('count grapheme characters and refuse control characters', () => {
    assert.equal(line(3).read(' 🎈🎈🎈 '), '🎈🎈🎈')
    refuses(line(3), '🎈🎈🎈🎈')
    refuses(line(20), 'a\tb')
    refuses(line(20), 'a\u001b[31m')
  })
})

describe('output for people', () => {
  it('aligns tables and fields', () => {
    assert.equal(
      formatTable(
        ['A', 'LONG'],
        [
          ['one', 1],
          [null, ['x', 'y']],
        ],
      ),
      'A    LONG\none  1\n-    x, y',
    )
    assert.equal(formatFields({ id: 1, longer: [] }), 'id      1\nlonger  -')
  })
  it('replaces control characters in values', () => {
    assert.equal(formatFields({ name: 'a\u001b[31m\nb' }), 'name  a [31m b')
  })
  it('formats counts and enumerations', () => {
    assert.deepEqual([formatCount(1, 'row'), formatCount(2, 'row')], ['1 row', '2 rows'])
    assert.deepEqual(
      [joinAlternatives(['a']), joinAlternatives(['a', 'b', 'c'])],
      ['a', 'a, b or c'],
    )
  })
  it('suggests a word with one wrong letter, and nothing for dissimilar words', () => {
    fc.assert(
      fc.property(fc.constantFrom('projects', 'doctor', 'backup'), fc.nat(5), (word, at) => {
        assert.equal(
          findNearestName(word.slice(0, at) + word.slice(at + 1), ['projects', 'doctor', 'backup']),
          word,
        )
      }),
    )
    assert.equal(findNearestName('zzz', ['projects', 'doctor']), undefined)
  })
})

describe('the order of tables', () => {
  it('puts each table after the tables that it references', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const pairs = fc.array(fc.tuple(fc.nat(5), fc.nat(5)))
    fc.assert(
      fc.property(pairs, fc.shuffledSubarray(names, { minLength: 6 }), (edges, shuffled) => {
        // References only to earlier letters or itself, so there is no cycle.
        const references = edges.map(([one, other]) => ({
          from_table: shuffled[Math.max(one, other)]!,
          to_table: shuffled[Math.min(one, other)]!,
        }))
        const ordered = orderTables(names, references)
        assert.deepEqual(ordered.toSorted(), names)
        for (const { from_table, to_table } of references) {
          assert.ok(ordered.indexOf(to_table) <= ordered.indexOf(from_table))
        }
      }),
    )
  })
  it('throws an error that names the tables of a cycle', () => {
    const references = [
      { from_table: 'a', to_table: 'b' },
      { from_table: 'b', to_table: 'a' },
    ]
    assert.throws(() => orderTables(['a', 'b', 'c'], references), /form a cycle: a, b\./)
  })
})
