/** Stores the chunks of a source within the limit of the project. */
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import * as store from '../store.ts'
import type { SourceKey } from './source-store.ts'

type Chunks = Pick<store.ChunksWrite, 'source' | 'url' | 'passages'>

/** Returns a sentence for the team if a part was left out; otherwise null. */
export async function storeChunks(
  tx: Transaction,
  { project_id, id }: SourceKey,
  chunks: Chunks,
): Promise<string | null> {
  const chunks_max = limits.assistant_chunks_max
  const stored = await store.replaceChunks(tx, { project_id, source_id: id, ...chunks, chunks_max })
  if (stored === chunks.passages.length) return null
  return `A part was left out, because the project has ${chunks_max} chunks, the most it can have.`
}
