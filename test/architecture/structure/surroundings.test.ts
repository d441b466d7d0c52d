/**
 * Each access to the environment has one place: settings in kernel/config/config.ts, the time of
 * day in kernel/clock.ts, the network in kernel/outbound/*.ts, and no area uses the disk. So
 * settings are validated at the start, tests can move the time, every outbound call passes the
 * guard, and processes share no local state.
 * `performance.now()` is allowed: it counts from the start of the process and cannot reveal the
 * time of day. Log lines carry real time, because operators compare them with logs of other
 * machines; so does the list of applied migrations, which is written before the clock exists. The
 * command line reads the time of the database to compare the two. Tests are exempt.
 */
import { codeOf, importsOf, stringsOf } from '../code.ts'
import { filesOf, findIn, architectureRule, isTest, type Rule, type Tree } from '../tree.ts'

const server = /^server\/.*\.ts$/

interface Search {
  files: RegExp
  except: RegExp
  pattern: RegExp
  read(text: string): string
  message: string
}

function search({ files, except, pattern, read, message }: Search): Rule {
  return (tree: Tree) =>
    filesOf(tree, files)
      .filter(([path]) => !except.test(path) && !isTest(path))
      .flatMap(([path, text]) =>
        findIn(read(text), pattern).map(({ line }) => `${path}:${line}: ${message}`),
      )
}

const environment = search({
  files: server,
  except: /^server\/kernel\/config\/config\.ts$/,
  pattern: /\bprocess\s*\.\s*env\b|\bimport\.meta\.env\b/g,
  read: codeOf,
  message:
    'It reads the environment. Add a setting to kernel/config/config.ts and take it from runtime.config.',
})

architectureRule('only kernel/config/config.ts reads the environment', environment, {
  refuses: [{ 'server/areas/a/service.ts': 'const a = process.env.A' }],
  accepts: {
    'server/kernel/config/config.ts': 'process.env',
    'server/kernel/a.ts': "say('process.env') // process.env",
  },
})

const timeOfDay = search({
  files: server,
  except: /^server\/kernel\/(?:clock|log)\.ts$/,
  pattern:
    /\bDate\s*\.\s*now\b|\bDate\s*\(\s*\)|\bTemporal\s*\.\s*Now\b|\bperformance\s*\.\s*timeOrigin\b/g,
  read: codeOf,
  message: 'It reads the time of day. Take it from the clock of the server.',
})

architectureRule('only kernel/clock.ts reads the time of day', timeOfDay, {
  refuses: [
    { 'server/areas/a/service.ts': 'const a = Date.now()' },
    { 'server/areas/a/service.ts': 'const a = new Date()' },
    { 'server/edges/a.ts': 'const a = Temporal.Now.instant()' },
  ],
  accepts: {
    'server/kernel/clock.ts': 'Date.now()',
    'server/areas/a/service.ts': 'const a = performance.now() + new Date(b.getTime()).getTime()',
  },
})

const timeInSql = search({
  files: /^server\/.*\.(?:ts|sql)$/,
  except: /^server\/kernel\/(?:database\/migrations|backup\/store)\.ts$/,
  pattern:
    /(?<![.\w])(?:now\(\)|(?:clock|statement|transaction)_timestamp\(\)|(?:current_(?:timestamp|date|time)|localtimestamp)\b)/gi,
  read: (text) => (/^\s*--/.test(text) ? text.replaceAll(/--.*/g, '') : stringsOf(text)),
  message: 'This SQL reads the time of the database. Give it `now` as a parameter.',
})

architectureRule('SQL takes the time as a parameter', timeInSql, {
  refuses: [
    { 'server/areas/a/store.ts': 'sql`select now()`' },
    {
      'server/migrations/0001-a.sql':
        '-- A table.\ncreate table a (b timestamptz default current_timestamp);',
    },
  ],
  accepts: {
    'server/areas/a/store.ts': 'sql`select ${clock.now()}`; now()',
    'server/migrations/0001-a.sql': '-- Not now().\ncreate table a (b timestamptz);',
  },
})

const network = search({
  files: server,
  // The simulated carrier connects to the relay of this server.
  except:
    /^server\/(?:kernel\/outbound\/outbound[\w-]*|edges\/dev\/simulators\/telnyx\/telnyx-calls)\.ts$/,
  pattern:
    /(?<![.\w]|function )fetch\s*\(|\bglobalThis\s*\.\s*fetch\b|\bnew\s+(?:WebSocket|EventSource)\b/g,
  read: codeOf,
  message: 'It calls out by itself. Use runtime.outbound, the guarded fetch.',
})

function undiciFaults(tree: Tree): string[] {
  return filesOf(tree, server)
    .filter(
      ([path]) =>
        !/^server\/kernel\/outbound\/(?:outbound[\w-]*|undici\.d)\.ts$/.test(path) && !isTest(path),
    )
    .flatMap(([path, text]) =>
      importsOf(path, text)
        .filter(({ from, is_type }) => /^undici(\/|$)/.test(from) && !is_type)
        .map(
          ({ line }) =>
            `${path}:${line}: It imports undici. Use runtime.outbound, the guarded fetch.`,
        ),
    )
}

architectureRule(
  'only kernel/outbound/*.ts makes outbound calls',
  (tree) => [...network(tree), ...undiciFaults(tree)],
  {
    refuses: [
      { 'server/areas/a/service.ts': 'const a = await fetch(url)' },
      { 'server/providers/a/b.ts': 'use(globalThis.fetch)' },
      { 'server/providers/a/b.ts': "import { request } from 'undici'" },
      { 'server/providers/a/b.ts': "import Pool from 'undici/lib/dispatcher/pool.js'" },
    ],
    accepts: {
      'server/kernel/outbound/outbound-routes.ts': "import { Pool } from 'undici'",
      'server/providers/a/b.ts': 'const a = { fetch: guarded }; a.fetch(url)',
    },
  },
)

function nodeHttpFaults(tree: Tree): string[] {
  return filesOf(tree, server)
    .filter(([path]) => !isTest(path))
    .flatMap(([path, text]) =>
      importsOf(path, text)
        .filter(({ from, is_type }) => /^(?:node:)?http$/.test(from) && !is_type)
        .map(({ line }) => `${path}:${line}: Import it from kernel/process/node-http.ts.`),
    )
}

architectureRule('no file imports values of node:http, which loads undici', nodeHttpFaults, {
  refuses: [{ 'server/areas/a/service.ts': "import { request } from 'node:http'" }],
  accepts: {
    'server/edges/a.ts': "import type { IncomingMessage } from 'node:http'",
    'server/edges/a.test.ts': "import { createServer } from 'node:http'",
  },
})

function diskFaults(tree: Tree): string[] {
  return filesOf(tree, /^server\/areas\/.*\.ts$/)
    .filter(([path]) => !isTest(path))
    .flatMap(([path, text]) =>
      importsOf(path, text)
        .filter(({ from }) => /^(?:node:)?fs(?:\/promises)?$/.test(from))
        .map(
          ({ line }) =>
            `${path}:${line}: An area uses the disk. Keep it in PostgreSQL, or let the kernel do it.`,
        ),
    )
}

architectureRule('no area uses the disk', diskFaults, {
  refuses: [
    { 'server/areas/a/service.ts': "import { readFileSync } from 'node:fs'" },
    { 'server/areas/a/service.ts': "import { readFile } from 'fs/promises'" },
  ],
  accepts: {
    'server/kernel/a.ts': "import { readFileSync } from 'node:fs'",
    'server/areas/a/a.test.ts': "import { readFileSync } from 'node:fs'",
  },
})
