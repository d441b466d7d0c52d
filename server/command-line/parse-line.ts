/**
 * Parses the command and its options. `parseArgs` splits the arguments; validation is ours, so that
 * errors can suggest the nearest word.
 */
import { parseArgs } from 'node:util'
import { findNearestName } from '../kernel/values/nearest.ts'
import type { CliCommand, OptionTexts } from './command.ts'
import { CommandError } from './command-error.ts'
import { joinAlternatives } from './output.ts'

/** The parsed line: a command with its options, or a request for help or the version. */
export type ParsedLine =
  | { ask: 'run'; command: CliCommand; given: OptionTexts }
  | { ask: 'help'; commands: readonly CliCommand[] }
  | { ask: 'version' }

interface Typed {
  words: string[]
  options: { name: string; written: string; value: string | undefined; inline: boolean }[]
}

/** Options of every command. */
const common = new Set(['json', 'help', 'h', 'version'])

export function parseLine(argv: readonly string[], commands: readonly CliCommand[]): ParsedLine {
  const typed = cut(argv, commands)
  const asksFor = (name: string) => typed.options.some((option) => option.name === name)
  if (asksFor('version')) return { ask: 'version' }
  const [first, ...rest] = typed.words
  if (first === undefined) {
    readOptions(typed, { name: 'homeport', options: [] })
    return { ask: 'help', commands }
  }
  if (first === 'help') return { ask: 'help', commands: helpFor(rest, commands) }
  if (asksFor('help') || asksFor('h'))
    return { ask: 'help', commands: helpFor(typed.words, commands) }
  const command = findCommand(typed.words, commands)
  const given = readOptions(withBare(typed, command), command)
  refuseExtra(typed.words, command)
  return { ask: 'run', command, given }
}

/**
 * Splits the arguments. The command need not be known for that, because an option has a value in
 * all commands or in none.
 */
function cut(argv: readonly string[], commands: readonly CliCommand[]): Typed {
  const known = commands.flatMap(({ options }) => options)
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      known.map(({ name, value }) => [
        name,
        { type: value ? ('string' as const) : ('boolean' as const) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const typed: Typed = { words: [], options: [] }
  for (const token of tokens) {
    if (token.kind === 'positional') typed.words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName: written, value, inlineValue = false } = token
    typed.options.push({ name, written, value, inline: inlineValue })
  }
  return typed
}

function findCommand(words: readonly string[], commands: readonly CliCommand[]): CliCommand {
  const typed = words.join(' ')
  const command = commands.find(({ name }) => `${typed} `.startsWith(`${name} `))
  if (!command) throw new CommandError(unknownCommand(typed, commands))
  return command
}

/** Converts a positional argument to the option it stands for. */
function withBare(typed: Typed, { name, bare }: CliCommand): Typed {
  const value = typed.words[name.split(' ').length]
  if (bare === undefined || value === undefined) return typed
  const option = { name: bare, written: `--${bare}`, value, inline: false }
  return { ...typed, options: [...typed.options, option] }
}

function refuseExtra(words: readonly string[], { name, bare }: CliCommand): void {
  const extra = words.slice(name.split(' ').length + (bare === undefined ? 0 : 1))
  if (extra.length === 0) return
  const takes = bare === undefined ? 'options only' : 'one word and options'
  throw new CommandError(`"${name}" takes ${takes}, and cannot use "${extra.join(' ')}".`)
}

function unknownCommand(typed: string, commands: readonly CliCommand[]): string {
  const group = groupOf(typed, commands)
  if (group.length > 0) {
    const names = group.map(({ name }) => `"${name}"`)
    return `"${typed}" is not a complete command: use ${joinAlternatives(names)}.`
  }
  const names = commands.map(({ name }) => name)
  const near =
    findNearestName(typed, names) ?? findNearestName(typed.split(' ').slice(0, 2).join(' '), names)
  if (near) return `There is no command "${typed}". Did you mean "${near}"?`
  const [first = ''] = typed.split(' ')
  const others = groupOf(first, commands)
  const known = others.length > 0 ? others.map(({ name }) => name) : names
  return `There is no command "${typed}". The commands are ${known.join(', ')}.`
}

function groupOf(word: string, commands: readonly CliCommand[]): CliCommand[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `))
}

/** `help`, `help projects` and `help projects create`. */
function helpFor(words: readonly string[], commands: readonly CliCommand[]): readonly CliCommand[] {
  if (words.length === 0) return commands
  const group = groupOf(words.join(' '), commands)
  if (group.length > 0) return group
  const command = findCommand(words, commands)
  refuseExtra(words, command)
  return [command]
}

function readOptions(
  { options }: Typed,
  { name: command, options: known }: Pick<CliCommand, 'name' | 'options'>,
): OptionTexts {
  const given = new Map<string, string>()
  for (const { name, written, value, inline } of options) {
    if (common.has(name)) {
      if (inline) throw new CommandError(`${written} takes no value.`)
      continue
    }
    const option = known.find((one) => one.name === name)
    if (!option) throw new CommandError(unknownOption(written, command, known))
    if (given.has(name)) throw new CommandError(`${written} is given twice.`)
    given.set(name, valueOf({ written, value, inline }, option.value))
  }
  return given
}

function unknownOption(written: string, command: string, known: CliCommand['options']): string {
  const names = [...known.map(({ name }) => `--${name}`), '--json', '--help']
  const near = findNearestName(written, names)
  const hint = near ? `Did you mean ${near}?` : `Use ${joinAlternatives(names)}.`
  return `"${command}" has no option ${written}. ${hint}`
}

function valueOf(
  option: { written: string; value: string | undefined; inline: boolean },
  takes: string,
): string {
  const { written, value, inline } = option
  if (!takes) {
    if (inline) throw new CommandError(`${written} takes no value.`)
    return ''
  }
  // A value that looks like an option is probably the next option; -5 is a number.
  if (value === undefined || (!inline && /^-+[a-z]/i.test(value))) {
    throw new CommandError(`${written} needs a value: ${written} ${takes}.`)
  }
  return value
}
