/** What is typed, and how it is understood or refused: no database is needed for any of it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nearest } from '../kernel/values/nearest.ts'
import { euro, listOf, id, email, line, type Kind } from './option-kinds.ts'
import { Refusal } from './refusal.ts'
import { orderTables } from './backup/table-order.ts'
import { runHere, temporaryFolder } from './test-run.ts'
import { alternatives, counted, fields, table } from './wording.ts'

const PROJECT = '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59'
const settings = { HOMEPORT_DATA_DIR: `${temporaryFolder()}/never-made` }

async function refusal(...argv: string[]): Promise<string> {
  const { code, said, stdout } = await runHere(argv, settings)
  assert.equal(code, 1)
  assert.equal(stdout, '')
  return said
}

describe('an unknown word', () => {
  it('names the nearest command', async () => {
    assert.equal(
      await refusal('project', 'list'),
      'There is no command "project list". Did you mean "projects list"?',
    )
    assert.match(await refusal('doctr'), /Did you mean "doctor"\?/)
    assert.match(await refusal('keys', 'crate'), /Did you mean "keys create"\?/)
    assert.match(await refusal('backups', '--to', 'x'), /Did you mean "backup"\?/)
  })
  it('lists what there is when nothing is near', async () => {
    assert.match(await refusal('frobnicate'), /There is projects create, .*restore\.$/)
    assert.equal(
      await refusal('keys', 'frobnicate'),
      'There is no command "keys frobnicate". There is keys create, keys list, keys revoke.',
    )
  })
  it('completes half a command', async () => {
    assert.equal(
      await refusal('keys'),
      '"keys" is not a whole command: say "keys create", "keys list" or "keys revoke".',
    )
  })
  it('names the nearest option, or all of them', async () => {
    assert.equal(
      await refusal('projects', 'create', '--nam', 'A'),
      '"projects create" has no option --nam. Did you mean --name?',
    )
    assert.equal(
      await refusal('migrate', '--force'),
      '"migrate" has no option --force. It takes --json or --help.',
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
  it('refuses an option given twice, without its value, or with one it does not take', async () => {
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

describe('what is missing or cannot be', () => {
  it('names every option that is missing', async () => {
    assert.equal(
      await refusal('projects', 'verify', '--level', 'full'),
      '"projects verify" needs --project ID and --status approved|not_started.',
    )
  })
  it('names every value that cannot be, with those that can', async () => {
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
  it('names a scope that does not exist, and the nearest', async () => {
    const create = ['keys', 'create', '--project', PROJECT, '--mode', 'test']
    assert.match(
      await refusal(...create, '--scopes', 'calls:raed'),
      /names the scope "calls:raed", .* mean "calls:read"\?/,
    )
    assert.match(
      await refusal(...create, '--scopes', 'x'),
      /There is project:read, .*data:write, or all\./,
    )
    assert.match(await refusal(...create, '--scopes', ','), /--scopes must name at least one/)
    assert.match(await refusal(...create, '--limit-sites', 'a,b'), /--limit-sites must be an id/)
    assert.match(
      await refusal('keys', 'create', '--project', PROJECT, '--mode', 'both'),
      /--mode must be test or live/,
    )
  })
  it('says it in JSON too', async () => {
    const { code, json, said } = await runHere(['keys', 'revoke', '--json'], settings)
    assert.deepEqual([code, json], [1, { error: said }])
  })
  it('says all faults of the settings in the one line', async () => {
    const { said } = await runHere(['projects', 'list'], {
      HOMEPORT_PORT: 'x',
      HOMEPORT_CARRIER: 'pigeon',
    })
    assert.match(said, /HOMEPORT_CARRIER .* HOMEPORT_PORT /)
  })
})

describe('help and version', () => {
  it('lists every command, without a word typed and on help', async () => {
    for (const argv of [[], ['help'], ['--help'], ['-h']]) {
      const { code, stdout } = await runHere(argv, settings)
      assert.equal(code, 0)
      assert.match(stdout, /^Usage: npm run -s homeport -- <command>[^]*projects create[^]*restore/)
    }
  })
  it('tells of one command or a group', async () => {
    for (const argv of [
      ['help', 'keys', 'create'],
      ['keys', 'create', '--help'],
    ]) {
      const { stdout } = await runHere(argv, settings)
      assert.match(
        stdout,
        /Usage: .* keys create --project ID --mode test\|live \[--scopes SCOPE,SCOPE\|all\]/,
      )
      assert.match(stdout, /--limit-sites ID,ID +The only sites/)
    }
    const { stdout } = await runHere(['keys', '--help'], settings)
    assert.match(stdout, /keys create[^]*keys list[^]*keys revoke/)
    assert.doesNotMatch(stdout, /projects create/)
  })
  it('is one JSON document on demand', async () => {
    const help = await runHere(['help', '--json'], settings)
    const names = help.json.commands.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('projects go-live') && names.includes('restore'))
    const version = await runHere(['--version', '--json'], settings)
    assert.match(version.json.version, /^\d+\.\d+\.\d+/)
  })
  it('is refused for what does not exist', async () => {
    assert.match(await refusal('help', 'doctr'), /Did you mean "doctor"\?/)
  })
})

describe('the kinds of options', () => {
  const refuses = (kind: Kind<unknown>, text: string) =>
    assert.throws(() => kind.read(text), Refusal, text)

  it('reads an amount exactly, whatever its digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), (micro) => {
        const digits = micro.toString().padStart(7, '0')
        const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`
        assert.equal(euro({ zero: false }).read(text), micro)
        assert.equal(euro({ zero: false }).read(text.replace(/\.?0+$/, '')), micro)
      }),
    )
  })
  it('refuses what is no amount of euro', () => {
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
  it('never fails otherwise than by refusing', () => {
    const kinds = [euro({ zero: true }), id, email, line(20), listOf(id)]
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.string({ unit: 'binary' }), (kind, text) => {
        try {
          kind.read(text)
        } catch (error) {
          assert.ok(error instanceof Refusal)
        }
      }),
    )
  })
  it('takes email addresses as people have them', () => {
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
  it('counts what stands twice in a list once, and ids in any case as one', () => {
    assert.deepEqual(listOf(id).read(`${PROJECT}, ${PROJECT.toUpperCase()},`), [PROJECT])
  })
  it('counts the characters that people see, and keeps control characters out', () => {
    assert.equal(line(3).read(' 🎈🎈🎈 '), '🎈🎈🎈')
    refuses(line(3), '🎈🎈🎈🎈')
    refuses(line(20), 'a\tb')
    refuses(line(20), 'a\u001b[31m')
  })
})

describe('the wording', () => {
  it('lays out tables and fields', () => {
    assert.equal(
      table(
        ['A', 'LONG'],
        [
          ['one', 1],
          [null, ['x', 'y']],
        ],
      ),
      'A    LONG\none  1\n-    x, y',
    )
    assert.equal(fields({ id: 1, longer: [] }), 'id      1\nlonger  -')
  })
  it('keeps control characters of a value out of the terminal', () => {
    assert.equal(fields({ name: 'a\u001b[31m\nb' }), 'name  a [31m b')
  })
  it('counts and enumerates', () => {
    assert.deepEqual([counted(1, 'row'), counted(2, 'row')], ['1 row', '2 rows'])
    assert.deepEqual([alternatives(['a']), alternatives(['a', 'b', 'c'])], ['a', 'a, b or c'])
  })
  it('finds a word with one letter wrong, and does not guess wildly', () => {
    fc.assert(
      fc.property(fc.constantFrom('projects', 'doctor', 'backup'), fc.nat(5), (word, at) => {
        assert.equal(
          nearest(word.slice(0, at) + word.slice(at + 1), ['projects', 'doctor', 'backup']),
          word,
        )
      }),
    )
    assert.equal(nearest('zzz', ['projects', 'doctor']), undefined)
  })
})

describe('the order of tables', () => {
  it('puts every table after those it points to', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const pairs = fc.array(fc.tuple(fc.nat(5), fc.nat(5)))
    fc.assert(
      fc.property(pairs, fc.shuffledSubarray(names, { minLength: 6 }), (edges, shuffled) => {
        // Pointing only from later to earlier letters, there is no circle; itself is allowed.
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
  it('says which tables point to each other in a circle', () => {
    const references = [
      { from_table: 'a', to_table: 'b' },
      { from_table: 'b', to_table: 'a' },
    ]
    assert.throws(() => orderTables(['a', 'b', 'c'], references), /in a circle: a, b\./)
  })
})
