/**
 * What a command of the command line is: its name, its options and what it does, said once. Read
 * from it are the help, the check of what was typed and the sentences that refuse it. Everything
 * typed is checked before a setting is read or a database is opened.
 */
import type { Config } from '../kernel/config/config.ts'
import type { Runtime } from '../kernel/runtime.ts'
import { withRuntime } from './database-access.ts'
import { Refusal } from './refusal.ts'

/** What a command answers. A `fault` makes it fail although there is something to show. */
export interface Answer {
  json: unknown
  text: string
  fault?: string
}

/** What a command finds when it runs. The settings are read by whoever needs them: help does not. */
export interface CommandContext {
  settings(): Config
  /** Says something before the end, for a command that goes on; with --json a document a line. */
  tell(part: Pick<Answer, 'json' | 'text'>): void
  /** Says on a terminal how far it is, in a line that is gone when the command ends. */
  progress(line: string): void
  /** Asks for a yes on a terminal. null: nobody can be asked. */
  confirm(question: string): Promise<boolean | null>
  /** From now on, being stopped is how the command ends well. */
  goOnUntilStopped(): AbortSignal
}

/** One option: how it is written in the help, and how its text becomes a value. */
export interface Option<T> {
  /** What stands for the value in the help; empty for an option without one. */
  value: string
  about: string
  required: boolean
  /** Throws a Refusal that says how the value must be, without the name of the option. */
  read(text: string | undefined): T
}

type Options<V> = { [K in keyof V]: Option<V[K]> }

export interface OptionFacts {
  name: string
  value: string
  about: string
  required: boolean
}

/** The texts that were given, by option. An option without a value has an empty text. */
export type Given = ReadonlyMap<string, string>

export interface Command {
  name: string
  about: string
  options: readonly OptionFacts[]
  /** The option that a bare word stands for. */
  bare?: string
  /** Checks what was given and throws a Refusal that names every fault. Returns what is to be run. */
  prepare(given: Given): (context: CommandContext) => Promise<Answer>
}

export interface Declaration<V, Place> {
  name: string
  about: string
  options: Options<V>
  /** The option that a bare word stands for, as in `deploy DIR`. */
  bare?: keyof V & string
  /** Refuses values that do not go together; each by itself was fine. */
  check?(values: V): void
  run(values: V, place: Place): Promise<Answer>
}

/** A command that opens by itself what it needs. */
export function command<V>(declaration: Declaration<V, CommandContext>): Command {
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

/** A command that works in an open server, beside a running server or without one. */
export function runtimeCommand<V>({ run, ...rest }: Declaration<V, Runtime>): Command {
  return command<V>({
    ...rest,
    run: (values, context) => withRuntime(context.settings(), (runtime) => run(values, runtime)),
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

function readAll<V>(command: string, options: Options<V>, given: Given): V {
  const missing = describe(options).filter(({ name, required }) => required && !given.has(name))
  if (missing.length > 0) {
    const names = missing.map(({ name, value }) => `--${name} ${value}`)
    throw new Refusal(`"${command}" needs ${names.join(' and ')}.`)
  }
  const values: Partial<V> = {}
  const faults: string[] = []
  for (const name in options) {
    try {
      values[name] = options[name].read(given.get(name))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      faults.push(`--${name} ${error.message}`)
    }
  }
  if (faults.length > 0 || !isWhole(values, options)) throw new Refusal(faults.join(' '))
  return values
}

function isWhole<V>(values: Partial<V>, options: Options<V>): values is V & Partial<V> {
  return Object.keys(options).every((name) => Object.hasOwn(values, name))
}
