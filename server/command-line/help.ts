/** Help texts, derived from the declarations of commands. */
import type { CommandOutput, CliCommand, OptionFacts } from './command.ts'
import { formatTable } from './output.ts'

const call = 'npm run -s homeport --'

export function helpOn(commands: readonly CliCommand[], whole: boolean): CommandOutput {
  const [only] = commands
  const text = commands.length === 1 && only ? one(only) : many(commands, whole)
  const facts = commands.map(({ name, about, options }) => ({ name, about, options }))
  return { json: { commands: facts }, text }
}

function many(commands: readonly CliCommand[], whole: boolean): string {
  const lines = commands.map(
    (command) => `  ${command.name.padEnd(nameWidth(commands))}  ${command.about}`,
  )
  const head = whole ? [`Usage: ${call} <command> [options]`, ''] : []
  const foot = [
    '',
    `With --json the output is one JSON document. "${call} help <command>" lists the options.`,
  ]
  return [...head, ...lines, ...foot].join('\n')
}

function nameWidth(commands: readonly CliCommand[]): number {
  return Math.max(...commands.map(({ name }) => name.length))
}

function one({ name, about, options, bare }: CliCommand): string {
  const words = options.map((option) => (option.name === bare ? option.value : usageOf(option)))
  const usage = [call, name, ...words, '[--json]'].join(' ')
  const rows = options.map((option) => [`  ${written(option)}`, option.about])
  const list = rows.length > 0 ? ['', formatTable(['Options', ''], rows)] : []
  return [about, '', `Usage: ${usage}`, ...list].join('\n')
}

function usageOf(option: OptionFacts): string {
  return option.required ? written(option) : `[${written(option)}]`
}

function written({ name, value }: OptionFacts): string {
  return value ? `--${name} ${value}` : `--${name}`
}
