/** The icon of a kind of files. */
import { AudioLines, File, FileText, Image, Video } from 'lucide-react'
import type { Kind } from '../queries.ts'

const icons = { image: Image, video: Video, audio: AudioLines, document: FileText, other: File }

export function KindIcon({ kind, className }: { kind: Kind; className: string }) {
  const Icon = icons[kind]
  return <Icon className={className} aria-hidden="true" />
}
