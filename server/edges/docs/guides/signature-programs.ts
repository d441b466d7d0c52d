/**
 * The programs of the guide to signatures. They are the files that its tests run; the guide
 * includes them as `{{program.verify.py}}`, and the lines that call them in a server as
 * `{{server.verify.py}}`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../../docs/guides/verify-signatures')

const files = ['node.mjs', 'verify.py', 'verify.php', 'verify.go', 'verify.rb'] as const

// The programs by placeholder. Read at the start of the process.
export const signaturePrograms: ReadonlyMap<string, string> = new Map(
  files.flatMap((file) => {
    const { server, program } = splitExample(readFileSync(join(folder, file), 'utf8'))
    return [
      [`server.${file}`, server],
      [`program.${file}`, program],
    ] as const
  }),
)

/** Splits a program into its head comment, which shows the use in a server, and the rest. */
export function splitExample(source: string): { server: string; program: string } {
  const lines = source.trimEnd().split('\n')
  const isComment = (line: string) => /^(?:\/\/|#)/.test(line)
  const begin = lines.findIndex((line) => isComment(line) && line.includes('In a server'))
  const end = lines.findIndex((line, index) => index > begin && !isComment(line))
  const server = lines
    .slice(begin + 1, end)
    .map((line) => line.replace(/^(?:\/\/|#)(?: {3}|\t)?/, ''))
  const program = lines.filter((line, index) => index >= end || !isComment(line))
  return { server: server.join('\n').trim(), program: program.join('\n').trim() }
}
