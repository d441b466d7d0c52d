/**
 * Test helpers that run the command line, as a process or in this process. Both verify the contract
 * of every run: exit code 0 and an empty stderr, or 1 and one line; with --json exactly one
 * document on stdout.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type pg from 'pg'
import { readConfig } from '../kernel/config/config.ts'
import { run } from './run.ts'

export const mainFile = join(import.meta.dirname, 'main.ts')

export interface CommandResult {
  code: number
  stdout: string
  /** The line on stderr without its line end; empty on success. */
  said: string
  /** The document on stdout; null without --json. */
  json: ReturnType<typeof JSON.parse>
}

export type TestSettings = Record<string, string>

/** Creates a folder that is deleted after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-command-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const { NODE_COMPILE_CACHE } = process.env
/** For the environment of a child process, which would compile the whole server again without it. */
export const compileCache: TestSettings = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}

/** Runs a command as a process with exactly these settings. */
export function runProcess(
  argv: readonly string[],
  settings: TestSettings,
): Promise<CommandResult> {
  return new Promise((done, fail) => {
    execFile(
      process.execPath,
      [mainFile, ...argv],
      { env: { ...compileCache, ...settings }, cwd: tmpdir() },
      (error, stdout, stderr) => {
        const code = error ? Number(error.code) : 0
        try {
          done(checkedResult(argv, { code, stdout, stderr }))
        } catch (fault) {
          fail(fault)
        }
      },
    )
  })
}

/** Runs a command in this process, including parsing and output. */
export async function runInProcess(
  argv: readonly string[],
  settings: TestSettings,
): Promise<CommandResult> {
  const text = { stdout: '', stderr: '' }
  const code = await run(argv, {
    stdout: { write: (part) => (text.stdout += part) },
    stderr: { write: (part) => (text.stderr += part) },
    settings: () => readConfig(settings, tmpdir()),
  })
  return checkedResult(argv, { code, ...text })
}

function checkedResult(
  argv: readonly string[],
  ran: { code: number; stdout: string; stderr: string },
): CommandResult {
  const { code, stdout, stderr } = ran
  const transcript = `homeport ${argv.join(' ')}\n${stdout}${stderr}`
  if (code === 0) assert.equal(stderr, '', transcript)
  else assert.match(stderr, /^[^\n]+\n$/, transcript)
  assert.ok(code === 0 || code === 1, transcript)
  const asJson = argv.includes('--json')
  assert.equal(asJson ? stdout.split('\n').length : 2, 2, transcript)
  return { code, stdout, said: stderr.trimEnd(), json: asJson ? JSON.parse(stdout) : null }
}

/** The connection as a DATABASE_URL. */
export function databaseUrl({ user, password, host, database }: pg.PoolConfig): string {
  return `postgresql://${user}:${String(password)}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
}
