/**
 * Lists the files of a folder for a deploy, without dot files, node_modules, links and files
 * ignored by .homeportignore or .gitignore. Skipped files are reported.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isIgnored, readIgnoreRules, type IgnoreRule } from './ignore-rules.ts'
import { CommandError } from '../command-error.ts'

export interface FolderFile {
  /** Relative to the folder, with slashes. */
  path: string
  file: string
  bytes: number
}

export interface DeployFolder {
  files: FolderFile[]
  /** Skipped paths with the reason. */
  skipped: { path: string; why: string }[]
}

/**
 * Maximum number of files. It is far above the limit of a site, so a folder with more is probably
 * the wrong one.
 */
const FILES_MAX = 2000
const IGNORE_FILES = ['.homeportignore', '.gitignore']

export function readFolder(folder: string): DeployFolder {
  requireFolder(folder)
  const read: DeployFolder = { files: [], skipped: [] }
  collectFiles({ folder, inside: '', rules: rulesOf(folder) }, read)
  if (read.files.length === 0) {
    throw new CommandError(`${folder} contains no file to publish.`)
  }
  read.files.sort((one, other) => (one.path < other.path ? -1 : 1))
  return read
}

function requireFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found) throw new CommandError(`${folder} does not exist.`)
  if (!found.isDirectory()) throw new CommandError(`${folder} is a file, and must be a folder.`)
}

/** Returns the rules of .homeportignore, otherwise of .gitignore; none if both are missing. */
function rulesOf(folder: string): IgnoreRule[] {
  for (const name of IGNORE_FILES) {
    const file = join(folder, name)
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) {
      return readIgnoreRules(readFileSync(file, 'utf8'))
    }
  }
  return []
}

interface Place {
  folder: string
  inside: string
  rules: readonly IgnoreRule[]
}

function collectFiles({ folder, inside, rules }: Place, read: DeployFolder): void {
  for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`
    const why = whyNot(path, { name: entry.name, is_folder: entry.isDirectory(), rules })
    if (why !== null) read.skipped.push({ path, why })
    else if (entry.isDirectory()) collectFiles({ folder, inside: path, rules }, read)
    else if (entry.isFile()) addFile(join(folder, path), path, read)
    else read.skipped.push({ path, why: 'is a link or a device' })
  }
}

function whyNot(
  path: string,
  { name, is_folder, rules }: { name: string; is_folder: boolean; rules: readonly IgnoreRule[] },
): string | null {
  if (name.startsWith('.') && path !== '.well-known') return 'begins with a dot'
  if (is_folder && name === 'node_modules') return 'is for building, not for visitors'
  return isIgnored(rules, path, is_folder) ? 'is ignored' : null
}

function addFile(file: string, path: string, read: DeployFolder): void {
  if (read.files.length === FILES_MAX) {
    throw new CommandError(
      `There are more than ${FILES_MAX} files: publish the output folder of your build, such as dist.`,
    )
  }
  read.files.push({ path: path.normalize('NFC'), file, bytes: statSync(file).size })
}
