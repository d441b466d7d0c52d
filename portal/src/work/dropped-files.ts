/** Reads the files of dropped folders, with their paths. */

export interface PathFile {
  path: string
  file: File
}

export interface Reading {
  /** Reading stops at this number of files. */
  files_max: number
  /** Files and folders with these names are left out. */
  ignored: RegExp
}

/** Reads entries and everything below them. */
export async function readEntries(
  entries: readonly FileSystemEntry[],
  { files_max, ignored }: Reading,
): Promise<PathFile[]> {
  const files: PathFile[] = []
  const waiting = [...entries]
  for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
    if (ignored.test(entry.name) || files.length >= files_max) continue
    if (isDirectory(entry)) waiting.push(...(await entriesOf(entry)))
    else if (isFile(entry)) files.push({ path: entry.fullPath, file: await fileOf(entry) })
  }
  return files
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

/**
 * Reads all entries of a directory. A reader returns them in portions; an empty portion is the end.
 */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((done, fail) =>
      reader.readEntries(done, fail),
    )
    if (part.length === 0) return all
    all.push(...part)
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((done, fail) => entry.file(done, fail))
}
