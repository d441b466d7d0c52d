/**
 * Tests the code samples of the reference and the guides: every sample is parsed in its language,
 * and the commands from the first key to a site run against a server. curl, python3 and its package
 * requests are used if installed.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { blockOf, codeBlocksOf, type CodeBlock } from '../fixtures/docs/guides.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { skipReasonFor, runProgram } from '../fixtures/processes/program.ts'
import { operations, peopleOperations } from '../../server/app.ts'
import * as projects from '../../server/areas/projects/service.ts'
import { signPayload } from '../../server/areas/webhooks/attempt/sign.ts'
import { documentPeopleOperations } from '../../server/edges/portal-api/document.ts'
import { writeCurlFor } from '../../server/edges/describe/samples/curl.ts'
import { writePython, writeTypescript } from '../../server/edges/describe/samples/samples.ts'

const runtime = await openTestRuntime({ work: false })
await projects.change(runtime.runtime.db, runtime.project_id, { phone_verified: true })
const base_url = `${runtime.runtime.config.public_url}/api/v1`
const folder = mkdtempSync(join(tmpdir(), 'samples-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const guides = readdirSync(join(import.meta.dirname, '../../docs/guides'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length))

async function markdownOf(path: string): Promise<string> {
  const { status, text } = await runtime.call(`GET //docs/${path}.md`, { key: null })
  assert.equal(status, 200, path)
  return text
}

interface Sample extends CodeBlock {
  place: string
}

const fromGuides: Sample[] = []
for (const guide of guides)
  for (const block of codeBlocksOf(await markdownOf(`guides/${guide}`)))
    fromGuides.push({ ...block, place: `${guide}: ${block.title}` })

const documented = [...operations, ...documentPeopleOperations(peopleOperations)]
const fromReference: Sample[] = documented.flatMap((operation) => {
  const place = operation.name
  const sample = (language: string, code: string) => ({ language, title: '', code, place })
  return [
    sample('bash', writeCurlFor(operation, base_url)),
    sample('ts', writeTypescript(operation, base_url)),
    sample('python', writePython(operation, base_url)),
  ]
})
const samples = [...fromReference, ...fromGuides]
const inLanguage = (...names: string[]) =>
  samples.filter(({ language }) => names.includes(language))

const noPython = skipReasonFor('python3', '--version')
const noRequests = skipReasonFor('python3', '-c', 'import requests')
const noCurl = skipReasonFor('curl', '--version')

describe('every sample of the documentation can be parsed', () => {
  test('because its language is text or one that this file parses', () => {
    const known = ['bash', 'js', 'ts', 'python', 'json', 'html', 'css', 'text', 'php', 'go', 'ruby']
    for (const { language, place } of samples) assert.ok(known.includes(language), place)
    assert.ok(fromGuides.length > 30 && fromReference.length > 200)
  })

  test('if it is a shell script', async () => {
    const files = inLanguage('bash').map(({ code, place }, index) => {
      const file = join(folder, `${index}.sh`)
      writeFileSync(file, `# ${place}\n${code}`)
      return file
    })
    const each = 'for file; do sh -n "$file" || { cat "$file"; exit 1; }; done'
    const { status, output, errors } = await runProgram(['sh', '-c', each, 'sh', ...files])
    assert.equal(status, 0, `${errors}\n${output}`)
  })

  test('if it is TypeScript or JavaScript', () => {
    for (const { code, place } of inLanguage('ts', 'js'))
      assert.doesNotThrow(() => stripTypeScriptTypes(code), `${place}\n${code}`)
  })

  test('if it is JSON', () => {
    for (const { code, place } of inLanguage('json'))
      assert.doesNotThrow(() => JSON.parse(code), place)
  })

  test('if it is Python', { skip: noPython }, async () => {
    const reader = [
      'import json, sys',
      'for place, code in json.load(sys.stdin):',
      '    compile(code, place, "exec")',
    ].join('\n')
    const input = JSON.stringify(inLanguage('python').map(({ place, code }) => [place, code]))
    const { status, errors } = await runProgram(['python3', '-c', reader], { input })
    assert.equal(status, 0, errors)
  })
})

const env: Record<string, string> = { HOMEPORT_KEY: runtime.key }

/** Runs a command with the address of the test's receiver. Returns the reply; null if empty. */
async function run(command: string): Promise<any> {
  const own = command.replaceAll('https://example.com/hooks/homeport', 'http://127.0.0.1:9/')
  const script = `curl() { command curl -sS --fail-with-body "$@"; }\n${own}`
  const { status, output, errors } = await runProgram(['sh', '-c', script], { env })
  assert.equal(status, 0, `${command}\n${output}${errors}`)
  return output === '' ? null : JSON.parse(output)
}

test('every variable in a command of a guide is set in an earlier block', async () => {
  for (const name of guides) {
    const guide = await markdownOf(`guides/${name}`)
    const known = new Set(['HOMEPORT_KEY'])
    for (const { code } of codeBlocksOf(guide).filter(({ language }) => language === 'bash')) {
      for (const [, variable = ''] of code.matchAll(/^(?:export )?([A-Z_]+)=/gm))
        known.add(variable)
      for (const [, variable = ''] of code.matchAll(/\$\{?([A-Z_]+)/g))
        assert.ok(known.has(variable), `${name}: $${variable}`)
    }
  }
})

describe('the commands of the guides work as printed', { skip: noCurl }, () => {
  test('on the start page, from the key to the transcript', async () => {
    const commands = (await markdownOf('index')).matchAll(
      /^ *```\n( *(?:curl|export) [^]*?)^ *```$/gm,
    )
    let reply: any = {}
    let transcript: unknown
    for (const [, command = ''] of commands) {
      const [, name = ''] = /export (\w+)=/.exec(command) ?? []
      if (name === 'HOMEPORT_KEY') continue
      if (name === '') reply = await run(command)
      else env[name] = reply.id
      transcript ??= reply?.transcript
    }
    assert.match(JSON.stringify(transcript), /4\.50 euro/)
  })

  test('in the guides to calls, to the assistant and to call plans', async () => {
    const calls = await markdownOf('guides/calls')
    const number = await run(blockOf(calls, 'Take a test number'))
    env['NUMBER_ID'] = number.id
    await run(blockOf(await markdownOf('guides/assistant'), 'PUT /assistant'))
    const plans = await markdownOf('guides/call-plans')
    assert.equal((await run(blockOf(plans, 'PUT /numbers/{id}/call-plan'))).plan.entry, 'ring')
    const call = blockOf(calls, 'Simulate a call').replace('<id of the number>', number.id)
    assert.equal((await run(call)).status, 'ai_handled')
  })

  test('in the guide to forms, and in curl and TypeScript for a document', async () => {
    const forms = await markdownOf('guides/forms')
    for (const title of ['POST /collections', 'POST /chat-tokens', 'POST /webhooks'])
      assert.ok((await run(blockOf(forms, title))).id, title)
    const create = operations.find(({ name }) => name === 'documents.create')
    assert.ok(create)
    // The guide's schema requires more fields than the example of the reference has.
    await runtime.call('PATCH /collections/bookings', { body: { schema: { type: 'object' } } })
    assert.equal((await run(writeCurlFor(create, base_url))).data.name, 'Anna')
    writeFileSync(join(folder, 'create.ts'), writeTypescript(create, base_url))
    const script = [process.execPath, 'create.ts']
    const { status, errors } = await runProgram(script, { env, folder })
    assert.equal(status, 0, errors)
    const { body } = await runtime.call('GET /collections/bookings/documents?count=true')
    assert.equal(body.count, 2)
    assert.deepEqual((await run(blockOf(forms, 'PATCH /collections/{name}'))).form, {
      challenge: true,
    })
  })

  test('in the guide to filters', async () => {
    const filters = await markdownOf('guides/filters')
    await runtime.call('POST /collections', { body: { name: 'orders' } })
    const data = { name: 'Anna', status: 'open', total: 150, day: '2026-11-03' }
    await runtime.call('POST /collections/orders/documents', { body: data })
    const list = await run(blockOf(filters, 'GET /collections/{name}/documents'))
    assert.deepEqual(list.data[0].data, { name: 'Anna', total: 150 })
    await run(blockOf(filters, 'POST /collections/{name}/documents/query'))
    assert.deepEqual((await run(blockOf(filters, 'PATCH /collections/{name}'))).indexes, [
      'status',
      'total',
    ])
    writeFileSync(join(folder, 'pages.mjs'), blockOf(filters, 'All pages'))
    const { status, output, errors } = await runProgram([process.execPath, 'pages.mjs'], {
      env,
      folder,
    })
    assert.deepEqual([status, errors], [0, ''])
    assert.match(output, /total: 150/)
  })

  test('in the guide to imports, with their printed results', async () => {
    const guide = await markdownOf('guides/import')
    await run(blockOf(guide, 'POST /collections'))
    const tried = await run(blockOf(guide, 'Try it'))
    const [first] = tried.preview
    assert.deepEqual([tried.dry_run, tried.inserted, tried.refused], [true, 2, 0])
    const values = { name: 'Café "De Zwaan"', total: 12.5, day: '2024-12-31', paid: true }
    assert.deepEqual(first, values)
    assert.equal((await run(blockOf(guide, 'Import it'))).inserted, 2)
  })

  test('in the guides to sites and to media', async () => {
    const sites = await markdownOf('guides/sites')
    assert.match(blockOf(sites, 'Keep the id'), /^export SITE_ID=/)
    env['SITE_ID'] = (await run(blockOf(sites, 'POST /sites'))).id
    assert.equal((await run(blockOf(sites, 'PUT /sites/{id}'))).files_count, 3)
    const media = await markdownOf('guides/media')
    const { uploads } = await run(blockOf(media, 'POST /media/uploads'))
    assert.equal(uploads[0].status, 'needed')
  })
})

test('the Python sample adds a document', { skip: noRequests }, async () => {
  const create = operations.find(({ name }) => name === 'documents.create')
  assert.ok(create)
  await runtime.call('POST /collections', { body: { name: 'bookings' } })
  const { status, errors } = await runProgram(['python3', '-c', writePython(create, base_url)], {
    env,
  })
  assert.equal(status, 0, errors)
})

test('the URL in the guide to connecting answers MCP', async () => {
  const connect = await markdownOf('guides/connect')
  const { mcpServers } = JSON.parse(blockOf(connect, 'Cursor and others'))
  const { url } = mcpServers.homeport
  assert.equal(url, blockOf(connect, 'The address'))
  const clientInfo = { name: 'a reader', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${runtime.key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /"serverInfo"/)
})

describe('a receiver made from the guide accepts a signed event and refuses an unsigned one', () => {
  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDZlGMR/VxPqM='

  test('in JavaScript', async (context) => {
    const guide = await markdownOf('guides/verify-signatures')
    const [server] = codeBlocksOf(guide).filter(
      ({ language, title }) => language === 'js' && title === 'In a server',
    )
    assert.ok(server)
    writeFileSync(join(folder, 'node.mjs'), blockOf(guide, 'node.mjs'))
    const program = server.code.replace(
      'listen(9000)',
      "listen(0, '127.0.0.1', function () { console.log(this.address().port) })",
    )
    const handle = 'async function handle(event) { console.log(event.type) }'
    writeFileSync(join(folder, 'server.mjs'), `${program}\n${handle}\n`)
    const child = spawn(process.execPath, ['server.mjs'], {
      cwd: folder,
      env: { ...process.env, WEBHOOK_SECRET: secret },
    })
    context.after(() => child.kill())
    const said = createInterface(child.stdout)[Symbol.asyncIterator]()
    const port = (await said.next()).value
    const body = '{"type":"call.completed"}'
    const send = async (signed: string) => {
      const headers = { 'service-signature': signed }
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
    }
    const now_s = Math.floor(Date.now() / 1000)
    assert.equal(await send(signPayload([secret], now_s, body)), 204)
    assert.equal((await said.next()).value, 'call.completed')
    assert.equal(await send(signPayload(['whsec_other'], now_s, body)), 400)
  })
})
