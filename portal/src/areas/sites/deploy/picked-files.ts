/** Reads dropped or chosen files: a folder, single files, or a ZIP file. */
import { readEntries } from '../../../work/dropped-files.ts'
import { readZip } from './zip.ts'

export interface PickedFile {
  path: string
  file: Blob
}

export interface Picked {
  /** Name of the folder or ZIP file; empty for single files. */
  name: string
  files: readonly PickedFile[]
}

/** More than the maximum number of files of a site; reading stops there. */
const READ_MAX = 1_000

/** Folders and files of tools and operating systems, which never belong to a site. */
const ignored = /^(?:\.(?!well-known$).*|node_modules|__MACOSX|Thumbs\.db|desktop\.ini)$/i
/** Output folders of site generators, if the chosen folder is a project. */
const outputs = ['dist', 'build', 'out', 'public', '_site']

/** Must be called in the event handler, because the browser clears the transfer afterwards. */
export function pickDropped({ items, files }: DataTransfer): Promise<Picked> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return entries.length > 0 ? pickEntries(entries) : pickChosen([...files])
}

/** Reads the files of an input; with `webkitdirectory` they have paths. */
export async function pickChosen(chosen: readonly File[]): Promise<Picked> {
  const files = chosen.map((file) => ({ path: file.webkitRelativePath || file.name, file }))
  return finish(files)
}

async function pickEntries(entries: readonly FileSystemEntry[]): Promise<Picked> {
  return finish(await readEntries(entries, { files_max: READ_MAX, ignored }))
}

async function finish(given: readonly PickedFile[]): Promise<Picked> {
  const [first] = given
  if (given.length === 1 && first !== undefined && /\.zip$/i.test(first.path)) {
    const name = (first.path.split('/').at(-1) ?? '').replace(/\.zip$/i, '')
    return { name, ...withoutRoot(await readZip(first.file)) }
  }
  return { name: '', ...withoutRoot(given) }
}

/** Removes the common root folder from the paths, and keeps only the output folder of a project. */
function withoutRoot(given: readonly PickedFile[]): { name?: string; files: PickedFile[] } {
  const clean = given
    .map(({ path, file }) => ({ path: path.replace(/^\/+/, ''), file }))
    .filter(({ path }) => !path.split('/').some((part) => ignored.test(part)))
  const [root = ''] = clean[0]?.path.split('/') ?? []
  const isShared = clean.every(({ path }) => path.startsWith(`${root}/`))
  const files = isShared ? below(clean, root) : clean
  if (files.some(({ path }) => path === 'index.html')) return named(files, isShared ? root : '')
  const output = outputs.find((name) => files.some(({ path }) => path === `${name}/index.html`))
  return named(output === undefined ? files : below(files, output), isShared ? root : '')
}

function below(files: readonly PickedFile[], folder: string): PickedFile[] {
  return files
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map(({ path, file }) => ({ path: path.slice(folder.length + 1), file }))
}

function named(files: PickedFile[], name: string): { name?: string; files: PickedFile[] } {
  return name === '' ? { files } : { name, files }
}
