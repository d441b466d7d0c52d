/** Programs beside Node that samples are written for, run where the machine has them. */
import { spawn, spawnSync } from 'node:child_process'

/** Why a test that needs these words to succeed cannot run here; false when it can. */
export function missing(program: string, ...words: string[]): string | false {
  const { status } = spawnSync(program, words, { stdio: 'ignore' })
  return status === 0 ? false : `\`${[program, ...words].join(' ')}\` does not work on this machine`
}

export interface Ended {
  status: number | null
  output: string
  errors: string
}

export interface Running {
  input?: string
  env?: Record<string, string>
  folder?: string
}

/** Runs a program to its end, while servers of this process go on answering. */
export async function runProgram(
  [program = '', ...words]: readonly string[],
  { input = '', env = {}, folder }: Running = {},
): Promise<Ended> {
  const child = spawn(program, words, { env: { ...process.env, ...env }, cwd: folder })
  const texts = { output: '', errors: '' }
  child.stdout.on('data', (part) => (texts.output += String(part)))
  child.stderr.on('data', (part) => (texts.errors += String(part)))
  child.stdin.end(input)
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject)
  child.once('close', resolve)
  return { status: await promise, ...texts }
}
