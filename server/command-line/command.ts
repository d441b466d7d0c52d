/**
 * The declaration of a command: name, options and description. The help, the validation of options
 * and the error messages derive from it. All options are validated before settings are read or a
 * database is opened.
 */
import type { Config } from '../kernel/config/config-types.ts'
import type { Runtime } from '../kernel/runtime.ts'
import { withRuntime } from './database-access.ts'
import { recordCommand } from './record-command.ts'
import { CommandError } from './command-error.ts'

/** The output of a command. With `fault` it exits with 1 although it has output. */
export interface CommandOutput {
  json: unknown
  text: string
  fault?: string
}

/** Services for a running command. Settings are read on demand; help does not need them. */
export interface CommandContext {
  settings(): Config
  /** Prints a part of the output of a long-running command; with --json one document per line. */
  tell(part: Pick<CommandOutput, 'json' | 'text'>): void
  /** Shows progress on a terminal, in a line that is erased at the end. */
  progress(line: string): void
  /** Asks for confirmation on a terminal. Returns null without a terminal. */
  confirm(question: string): Promise<boolean | null>
  /** Makes a signal to stop the regular end of the command, from this call on. */
  goOnUntilStopped(): AbortSignal
}

/** An option: its form in the help, and its parser. */
export interface CommandOption<T> {
  /** Placeholder for the value in the help; empty for a flag. */
  value: string
  about: string
  required: boolean
  /** Throws a CommandError that describes a valid value; the caller prepends the option's name. */
  read(text: string | undefined): T
}

type Options<V> = { [K in keyof V]: CommandOption<V[K]> }

export interface OptionFacts {
  name: string
  value: string
  about: string
  required: boolean
}

/** The texts of the given options by name; a flag has an empty text. */
export type OptionTexts = ReadonlyMap<string, string>

export interface CliCommand {
  name: string
  about: string
  options: readonly OptionFacts[]
  /** The option that a positional argument sets. */
  bare?: string
  /**
   * Validates the options and throws one CommandError with every error. Returns the function that runs
   * the command.
   */
  prepare(given: OptionTexts): (context: CommandContext) => Promise<CommandOutput>
}

export interface CommandDeclaration<V, Place> {
  name: string
  about: string
  options: Options<V>
  /** The option that a positional argument sets, as in `deploy DIR`. */
  bare?: keyof V & string
  /** Throws a CommandError for values that are valid individually but not together. */
  check?(values: V): void
  run(values: V, place: Place): Promise<CommandOutput>
}

/** A command that opens its own resources. */
export function command<V>(declaration: CommandDeclaration<V, CommandContext>): CliCommand {
  const { name, about, options, bare, check, run } = declaration
  return {
    name,
    about,
    options: describe(options),
    ...(bare !== undefined && { bare }),
    prepare(given) {
      const values = readAll(name, options, given)
      check?.(values)
      return (context) => run(values, context)
    },
  }
}

/** A command that needs an open runtime, with or without a running server. */
export function runtimeCommand<V>({ run, ...rest }: CommandDeclaration<V, Runtime>): CliCommand {
  return command<V>({
    ...rest,
    run: (values, context) =>
      withRuntime(context.settings(), (runtime) =>
        recordCommand(runtime, { name: rest.name, values }, () => run(values, runtime)),
      ),
  })
}

function describe<V>(options: Options<V>): OptionFacts[] {
  const facts: OptionFacts[] = []
  for (const name in options) {
    const { value, about, required } = options[name]
    facts.push({ name, value, about, required })
  }
  return facts
}

function readAll<V>(command: string, options: Options<V>, given: OptionTexts): V {
  const missing = describe(options).filter(({ name, required }) => required && !given.has(name))
  if (missing.length > 0) {
    const names = missing.map(({ name, value }) => `--${name} ${value}`)
    throw new CommandError(`"${command}" needs ${names.join(' and ')}.`)
  }
  const values: Partial<V> = {}
  const faults: string[] = []
  for (const name in options) {
    try {
      values[name] = options[name].read(given.get(name))
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      faults.push(`--${name} ${error.message}`)
    }
  }
  if (faults.length > 0 || !isWhole(values, options)) throw new CommandError(faults.join(' '))
  return values
}

function isWhole<V>(values: Partial<V>, options: Options<V>): values is V & Partial<V> {
  return Object.keys(options).every((name) => Object.hasOwn(values, name))
}
