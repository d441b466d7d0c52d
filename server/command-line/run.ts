/**
 * Runs one command line: parses it, executes the command and prints the result. The exit code is 0,
 * or 1 with exactly one line on stderr. With --json stdout is exactly one JSON document; `{"error":
 * "…"}` if the command has no output.
 */
import { Problem } from '../contract/errors.ts'
import { BlobsUnavailable } from '../kernel/blobs/faults.ts'
import { ExportFault } from '../areas/project-exports/service.ts'
import { BackupFault } from '../kernel/backup/backup-fault.ts'
import { ConfigError, readConfig } from '../kernel/config/config.ts'
import type { Config } from '../kernel/config/config-types.ts'
import { isDatabaseUnavailable } from '../kernel/database/database.ts'
import type { CommandOutput, CommandContext } from './command.ts'
import { commands } from './commands.ts'
import { helpOn } from './help.ts'
import { parseLine } from './parse-line.ts'
import { CommandError } from './command-error.ts'
import { version } from '../kernel/process/version.ts'

/** Control characters but line ends: they could manipulate the terminal. */
const control = /[^\P{Cc}\n]/gu

/** Output streams and the source of settings; the default is the environment. */
export interface RunEnvironment {
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown; isTTY?: boolean }
  settings?(): Config
  /** Asks a question on the terminal; absent without one. */
  ask?(question: string): Promise<string>
  /**
   * A signal that aborts when the process is asked to stop. After this call the command handles the
   * stop itself.
   */
  stopped?(): AbortSignal
}

export async function run(argv: readonly string[], around: RunEnvironment): Promise<number> {
  const { stdout, stderr } = around
  const asJson = argv.includes('--json')
  try {
    const { fault, ...output } = await answer(argv, around).finally(() => showProgress(around, ''))
    stdout.write(written(argv, output))
    if (fault === undefined) return 0
    stderr.write(`${fault}\n`)
  } catch (error) {
    const sentence = oneLine(sentenceOf(error))
    if (asJson) stdout.write(`${JSON.stringify({ error: sentence })}\n`)
    stderr.write(`${sentence}\n`)
  }
  return 1
}

async function answer(argv: readonly string[], around: RunEnvironment): Promise<CommandOutput> {
  const line = parseLine(argv, commands)
  switch (line.ask) {
    case 'version':
      return { json: { version: version() }, text: version() }
    case 'help':
      return helpOn(line.commands, line.commands.length === commands.length)
    case 'run':
      return line.command.prepare(line.given)(contextOf(argv, around))
  }
}

/** Replaces the previous progress line. Prints nothing if stderr is not a terminal. */
function showProgress({ stderr }: RunEnvironment, line: string): void {
  if (stderr.isTTY === true) stderr.write(`\r\u001b[2K${line}`)
}

function contextOf(argv: readonly string[], around: RunEnvironment): CommandContext {
  const { settings, stopped, stdout, ask } = around
  return {
    settings: settings ?? (() => readConfig()),
    tell: (part) => void stdout.write(written(argv, part)),
    progress: (line) => showProgress(around, line),
    async confirm(question) {
      if (!ask || argv.includes('--json')) return null
      showProgress(around, '')
      return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)).trim())
    },
    goOnUntilStopped: stopped ?? (() => new AbortController().signal),
  }
}

function written(
  argv: readonly string[],
  { json, text }: Pick<CommandOutput, 'json' | 'text'>,
): string {
  return `${argv.includes('--json') ? JSON.stringify(json) : text.replaceAll(control, ' ')}\n`
}

function sentenceOf(error: unknown): string {
  const known = [CommandError, ConfigError, BackupFault, ExportFault, BlobsUnavailable]
  if (error instanceof Error && known.some((kind) => error instanceof kind)) return error.message
  if (error instanceof Problem) return error.detail
  const said = messageOf(error)
  return isDatabaseUnavailable(error) && !isAboutFile(error)
    ? `The database cannot be reached (${said}). Run "doctor" for details.`
    : `The command failed: ${said}`
}

/** The message of an error and its causes. A failed connection may have only a code. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.message || ('code' in error ? String(error.code) : error.name)
  return error.cause === undefined ? own : `${own} ${messageOf(error.cause)}`
}

/** File errors share codes with socket errors. */
function isAboutFile(error: unknown): boolean {
  return (
    error instanceof Error && 'syscall' in error && error.syscall !== 'connect' && 'path' in error
  )
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(control, ' ').trim()
}
